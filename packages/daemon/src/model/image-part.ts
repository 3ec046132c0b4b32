import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { attachmentSizeText, isPdf } from "@baton/core/text/attachment-text";
import type { ProviderDialect } from "./provider-dialect.ts";
import type { ModelRequest } from "./model-port.ts";

/** An image or a PDF in the form of the provider packages, for prompts and results. */
export type StoredImage = { type: "file"; mediaType: string; filename?: string; data: { type: "data"; data: Uint8Array } };

/** An attachment in the form that the model gets: the bytes, or a text about them if it cannot read them. */
type ImagePart = StoredImage | { type: "text"; text: string };

/** Converts attachments for this model. Images that it cannot read become a line of text. */
export const toImagePart = (
  images: readonly AttachmentRef[] | undefined,
  readBlob: ModelRequest["readBlob"],
  { cannotRead = () => false }: Pick<ProviderDialect, "cannotRead">,
): Promise<ImagePart[]> =>
  Promise.all(
    (images ?? []).map(async (image) => {
      const bytes = await readBlob(image.blob);
      const name = image.name ?? (isPdf(image) ? "a PDF" : "an image");
      if (!bytes) return text(`[${name} was attached here, but it is no longer stored.]`);
      if (!cannotRead(image.mediaType)) return toFile(image, bytes);
      const summary = attachmentSizeText(image.mediaType, bytes.length);
      return text(`[${name} (${summary}) was attached here, but you cannot read it. Say so if it matters.]`);
    }),
  );

const text = (content: string): ImagePart => ({ type: "text", text: content });

const toFile = ({ mediaType, name }: AttachmentRef, data: Uint8Array): StoredImage => ({
  type: "file",
  mediaType,
  ...omitUndefined({ filename: name }),
  data: { type: "data", data },
});
