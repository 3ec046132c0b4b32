import * as z from "zod";

/** A picture or a PDF that goes with a prompt; `blob` is the sha256 under which the daemon keeps it, `name` that of its file. */
export const PromptImage = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is named by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"]),
  name: z.string().max(200).optional(),
});
export type PromptImage = z.infer<typeof PromptImage>;
