import * as z from "zod";

/** A picture or a PDF for a model to look at; `blob` is the sha256 under which the daemon keeps it, `name` that of its file, `bytes` its size. */
export const KeptImage = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is named by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"]),
  name: z.string().max(200).optional(),
  bytes: z.number().int().nonnegative().optional(),
});
export type KeptImage = z.infer<typeof KeptImage>;

/** Without schemas: the page and the terminal know these before they know those. So many go with a prompt, or with the result of a call. */
export const MAX_IMAGES = 8;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** What calls of earlier steps gave to look at is sent along up to this size, in bytes: more is more than some providers take. */
export const MAX_OLD_IMAGE_BYTES = 12 * 1024 * 1024;
