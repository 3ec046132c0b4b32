import * as z from "zod";

/** A picture or a PDF for a model to look at; `blob` is the sha256 under which the daemon keeps it, `name` that of its file, `bytes` its size. */
export const KeptImage = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is named by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"]),
  name: z.string().max(200).optional(),
  bytes: z.number().int().nonnegative().optional(),
});
export type KeptImage = z.infer<typeof KeptImage>;
