import * as z from "zod";

/** An image or a PDF for a model. `blob`: the sha256 under which the daemon stores it. `name`: its file name. `bytes`: its size. */
export const AttachmentRef = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is identified by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"]),
  name: z.string().max(200).optional(),
  bytes: z.number().int().nonnegative().optional(),
});
export type AttachmentRef = z.infer<typeof AttachmentRef>;
