import type { AttachmentRef } from "../protocol/attachment-ref.ts";
import { formatCount, formatNumber, joinWithAnd } from "./format.ts";

/** The attachments of a prompt or a result: `2 images and 1 PDF`. Empty if there are none. */
export function attachmentSummary(images: readonly AttachmentRef[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const imageCount = images.length - pdfs;
  const counts = [imageCount > 0 ? formatCount(imageCount, "image") : "", pdfs > 0 ? formatCount(pdfs, "PDF") : ""];
  return joinWithAnd(counts.filter((count) => count !== ""));
}

export const isPdf = ({ mediaType }: Pick<AttachmentRef, "mediaType">): boolean => mediaType === "application/pdf";

/** The type and size of an attachment: `PNG image, 12 KB`, `PDF, 300 KB`. */
export function attachmentSizeText(mediaType: AttachmentRef["mediaType"], bytes: number): string {
  const kind = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF", "application/pdf": "PDF" }[mediaType];
  return `${kind}${isPdf({ mediaType }) ? "" : " image"}, ${formatNumber(Math.ceil(bytes / 1024))} KB`;
}
