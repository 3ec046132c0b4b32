import * as z from "zod";

/** An image or a PDF for a model. `blob`: the sha256 under which the daemon stores it. `name`: its file name. `bytes`: its size. */
export const KeptImage = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is identified by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"]),
  name: z.string().max(200).optional(),
  bytes: z.number().int().nonnegative().optional(),
});
export type KeptImage = z.infer<typeof KeptImage>;

/** The maximum number of attachments of a prompt or a result. This file has no schemas, because clients load it first. */
export const MAX_IMAGES = 8;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** The maximum size in bytes of all images of earlier steps in a request. Some providers reject more. */
export const MAX_OLD_IMAGE_BYTES = 12 * 1024 * 1024;
