import type { KeptImage } from "@baton/core/protocol/image";
import { imageCountText, isPdf } from "@baton/core/text/status-text";
import type { ProviderDialect } from "./provider-dialect.ts";
import type { ModelRequest } from "./model-port.ts";

/** A picture or a PDF in the form of the provider packages, for prompts and results alike. */
export type StoredImage = { type: "file"; mediaType: string; filename?: string; data: { type: "data"; data: Uint8Array } };

/** What a model is shown, or told of where it cannot see. */
export type ImagePart = StoredImage | { type: "text"; text: string };

/** Pictures as this model gets them: to look at, or in a line that says what there is. */
export const toImagePart = (
  images: readonly KeptImage[] | undefined,
  readBlob: ModelRequest["readBlob"],
  { cannotRead = () => false }: Pick<ProviderDialect, "cannotRead">,
): Promise<ImagePart[]> =>
  Promise.all(
    (images ?? []).map(async (image) => {
      const bytes = await readBlob(image.blob);
      const called = image.name ?? (isPdf(image) ? "a PDF" : "a picture");
      if (!bytes) return text(`[With this came ${called}, which is not kept any more.]`);
      if (cannotRead(image.mediaType))
        return text(
          `[With this came ${called} (${imageCountText(image.mediaType, bytes.length)}), which you cannot read; say so if it matters.]`,
        );
      return picture(image, bytes);
    }),
  );

const text = (said: string): ImagePart => ({ type: "text", text: said });

const picture = ({ mediaType, name }: KeptImage, data: Uint8Array): StoredImage => ({
  type: "file",
  mediaType,
  ...(name === undefined ? {} : { filename: name }),
  data: { type: "data", data },
});
