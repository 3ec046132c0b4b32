// These limits have a file without schemas: a client that loads it does not load zod.

/** How many images a prompt or the result of a call can have. */
export const MAX_IMAGES = 8;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Images of earlier steps are sent again up to this total size: some providers accept no more. */
export const MAX_OLD_IMAGE_BYTES = 12 * 1024 * 1024;
