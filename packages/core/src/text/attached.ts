import type { PromptImage } from "../protocol/image.ts";
import { count, sentence } from "./words.ts";

/** What went along with a prompt: `2 pictures and 1 PDF`; nothing for nothing. */
export function attachedText(images: readonly PromptImage[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const pictures = images.length - pdfs;
  return sentence([...(pictures > 0 ? [count(pictures, "picture")] : []), ...(pdfs > 0 ? [count(pdfs, "PDF")] : [])]);
}

export const isPdf = ({ mediaType }: Pick<PromptImage, "mediaType">): boolean => mediaType === "application/pdf";
