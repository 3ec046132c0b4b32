import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { MAX_IMAGES, MAX_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import { detectImageType } from "@baton/core/text/image-type";
import { uploadBlob } from "@baton/core/client/blob-transfer";
import type { Api } from "../connection/daemon-connection.ts";
import { usageError } from "../connection/exit-codes.ts";

/**
 * Uploads the images and PDFs that a prompt names with `@`. A name is looked for in the workspace, then in the other folders of the session.
 * Throws a usage error if one cannot be sent.
 */
export async function uploadAttachments(prompt: string, folders: readonly string[], api: Api): Promise<AttachmentRef[]> {
  const files = mentionedFiles(prompt, folders);
  if (files.length > MAX_IMAGES) throw usageError(`A prompt can have ${MAX_IMAGES} images and PDFs; this one names ${files.length}.`);
  const sent: AttachmentRef[] = [];
  for (const file of files) sent.push(await send(file, api));
  return sent;
}

/** The existing files that a prompt names, in order, without duplicates. */
function mentionedFiles(prompt: string, folders: readonly string[]): string[] {
  const names = Array.from(prompt.matchAll(MENTION), ([, quoted, bare]) => quoted ?? bare ?? "");
  const whole = names.map((name) => name.replace(/^~(?=\/)/, homedir()));
  return [...new Set(whole.flatMap((name) => folders.map((folder) => path.resolve(folder, name)).find(isFile) ?? []))];
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** `@shot.png`, or `@"a shot.png"` for a name with spaces. */
const MENTION = /(?:^|\s)@(?:"([^"]+\.(?:png|jpe?g|webp|gif|pdf))"|(\S+?\.(?:png|jpe?g|webp|gif|pdf)))(?=$|[\s,;:.!?)])/gi;

async function send(file: string, api: Api): Promise<AttachmentRef> {
  const bytes = readFileSync(file);
  const mediaType = detectImageType(bytes);
  if (mediaType === undefined) throw usageError(`${file} is not a PNG, JPEG, WebP, GIF or PDF file.`);
  if (bytes.length > MAX_IMAGE_BYTES) throw usageError(`${file} is larger than 10 MB. Name a smaller file.`);
  return { blob: await uploadBytes(bytes, api), mediaType, name: path.basename(file).slice(0, 200) };
}

/** Uploads bytes to the daemon and returns their sha256. */
export const uploadBytes = (bytes: Buffer, api: Api): Promise<string> =>
  uploadBlob(api, {
    size: bytes.length,
    readBase64: (start, end) => Promise.resolve(bytes.subarray(start, end).toString("base64")),
  });
