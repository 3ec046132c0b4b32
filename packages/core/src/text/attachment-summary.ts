import type { KeptImage } from "../protocol/image.ts";
import { formatCount, countNoun, capitalize } from "./format.ts";

/** What went along with a prompt or a result: `2 pictures and 1 PDF`; nothing for nothing. */
export function attachmentSummary(images: readonly KeptImage[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const pictures = images.length - pdfs;
  return capitalize([...(pictures > 0 ? [formatCount(pictures, "picture")] : []), ...(pdfs > 0 ? [formatCount(pdfs, "PDF")] : [])]);
}

export const isPdf = ({ mediaType }: Pick<KeptImage, "mediaType">): boolean => mediaType === "application/pdf";

/** What it is and how large: `PNG picture, 12 KB`, `PDF, 300 KB`. */
export function imageCountText(mediaType: KeptImage["mediaType"], bytes: number): string {
  const kind = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF", "application/pdf": "PDF" }[mediaType];
  return `${kind}${isPdf({ mediaType }) ? "" : " picture"}, ${countNoun(Math.ceil(bytes / 1024))} KB`;
}
