/** Without schemas: the page and the terminal know these before they know those. So many go with a prompt, or with the result of a call. */
export const MAX_IMAGES = 8;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** What calls of earlier steps gave to look at is sent along up to this size, in bytes: more is more than some providers take. */
export const MAX_OLD_IMAGE_BYTES = 12 * 1024 * 1024;
