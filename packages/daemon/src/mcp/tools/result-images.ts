import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { MAX_IMAGES, MAX_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import { attachmentSizeText } from "@baton/core/text/attachment-text";
import { detectImageType } from "@baton/core/text/image-type";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Blobs } from "../../system/files/blob.ts";

export type ToolResultContent = CallToolResult["content"][number];

/** The images of an answer, stored as blobs, by their part of the answer. `words`: their type and size. */
export type StoredImages = ReadonlyMap<ToolResultContent, { image: AttachmentRef; words: string }>;

/** Stores images and PDFs of an answer, detected by their content and not by the server's label. */
export async function keepImages(parts: readonly ToolResultContent[], blobs: Pick<Blobs, "put">): Promise<StoredImages> {
  const seen = new Map<ToolResultContent, { image: AttachmentRef; words: string }>();
  for (const part of parts) {
    const base64 = dataOf(part);
    if (base64 === undefined || seen.size === MAX_IMAGES || base64.length > (MAX_IMAGE_BYTES / 3) * 4) continue;
    const bytes = Buffer.from(base64, "base64");
    const mediaType = detectImageType(bytes);
    if (mediaType === undefined) continue;
    seen.set(part, {
      image: { blob: await blobs.put(bytes), mediaType, bytes: bytes.length, ...nameOf(part) },
      words: attachmentSizeText(mediaType, bytes.length),
    });
  }
  return seen;
}

function dataOf(part: ToolResultContent): string | undefined {
  switch (part.type) {
    case "image":
      return part.data;
    case "resource":
      return "blob" in part.resource ? part.resource.blob : undefined;
    case "text":
    case "audio":
    case "resource_link":
      return undefined;
  }
}

function nameOf(part: ToolResultContent): Pick<AttachmentRef, "name"> {
  const name = part.type === "resource" ? part.resource.uri.split("/").at(-1) : undefined;
  return name ? { name: name.slice(0, 200) } : {};
}
