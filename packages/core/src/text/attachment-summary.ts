import type { KeptImage } from "../protocol/image.ts";
import { count, counted, sentence } from "./format.ts";

/** What went along with a prompt or a result: `2 pictures and 1 PDF`; nothing for nothing. */
export function attachedText(images: readonly KeptImage[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const pictures = images.length - pdfs;
  return sentence([...(pictures > 0 ? [count(pictures, "picture")] : []), ...(pdfs > 0 ? [count(pdfs, "PDF")] : [])]);
}

export const isPdf = ({ mediaType }: Pick<KeptImage, "mediaType">): boolean => mediaType === "application/pdf";

/** What it is and how large: `PNG picture, 12 KB`, `PDF, 300 KB`. */
export function imageWords(mediaType: KeptImage["mediaType"], bytes: number): string {
  const kind = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF", "application/pdf": "PDF" }[mediaType];
  return `${kind}${isPdf({ mediaType }) ? "" : " picture"}, ${counted(Math.ceil(bytes / 1024))} KB`;
}
