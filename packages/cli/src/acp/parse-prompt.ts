import { fileURLToPath } from "node:url";
import { RequestError, type ContentBlock } from "@agentclientprotocol/sdk";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { MAX_IMAGES, MAX_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import { detectImageType } from "@baton/core/text/image-type";
import { uploadBytes } from "../run/upload-attachments.ts";
import type { Api } from "../connection/daemon-connection.ts";
import { fenced } from "./tool-call-content.ts";

export type PromptParts = { text: string; images: AttachmentRef[] };

/** Splits a client's prompt into text and images. Throws -32602 for content that Baton cannot send to a model. */
export async function parsePrompt(blocks: readonly ContentBlock[], api: Api): Promise<PromptParts> {
  const parts: PromptParts = { text: blocks.map(blockText).join(""), images: [] };
  const images = blocks.filter((block) => block.type === "image");
  if (images.length > MAX_IMAGES) throw invalidPrompt(`A prompt can have ${MAX_IMAGES} images; this one has ${images.length}.`);
  for (const { data } of images) parts.images.push(await uploadImage(Buffer.from(data, "base64"), api));
  if (parts.text.trim() === "" && parts.images.length === 0) throw invalidPrompt("The prompt is empty.");
  return parts;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `@${uriPath(block.uri)}`;
    case "resource": {
      const { resource } = block;
      if (!("text" in resource)) throw invalidPrompt(`${resource.uri} is not a text resource. Send it as an image, or name the file.`);
      return `\n${uriPath(resource.uri)}:\n${fenced(resource.text)}\n`;
    }
    case "image":
      return "";
    case "audio":
      throw invalidPrompt("Audio is not supported.");
  }
}

async function uploadImage(bytes: Buffer, api: Api): Promise<AttachmentRef> {
  const mediaType = detectImageType(bytes);
  if (mediaType === undefined) throw invalidPrompt("An image is not a PNG, JPEG, WebP or GIF file.");
  if (bytes.length > MAX_IMAGE_BYTES) throw invalidPrompt("An image is larger than 10 MB.");
  return { blob: await uploadBytes(bytes, api), mediaType };
}

function uriPath(uri: string): string {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}

export const invalidPrompt = (message: string): RequestError => new RequestError(-32_602, message);
