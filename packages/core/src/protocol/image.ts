import * as z from "zod";

/** A picture that goes with a prompt; `blob` is the sha256 under which the daemon keeps it. */
export const PromptImage = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/, "a blob is named by its sha256"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif"]),
});
export type PromptImage = z.infer<typeof PromptImage>;
