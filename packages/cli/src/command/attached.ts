import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { KeptImage } from "@baton/core/protocol/image";
import { MOST_IMAGES, MOST_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import { imageTypeOf } from "@baton/core/text/image-type";
import { newCommandId } from "@baton/daemon/client";
import type { Api } from "./link.ts";
import { usage } from "./stop.ts";

/** Base64 makes four bytes of three, and a message to the daemon has at most a megabyte. */
const PIECE = 384 * 1024;

/** Hands the pictures and PDFs that a prompt names with `@` to the daemon. Throws what a person reads when one cannot be sent. */
export async function attachedTo(prompt: string, folder: string, api: Api): Promise<KeptImage[]> {
  const files = filesIn(prompt, folder);
  if (files.length > MOST_IMAGES) throw usage(`A prompt takes ${MOST_IMAGES} pictures and PDFs at most; this one names ${files.length}.`);
  const sent: KeptImage[] = [];
  for (const file of files) sent.push(await send(file, api));
  return sent;
}

/** Files that a prompt names, in their order and each once. What does not exist is a word like any other. */
function filesIn(prompt: string, folder: string): string[] {
  const named = Array.from(prompt.matchAll(NAMED), ([, quoted, bare]) => quoted ?? bare ?? "");
  const whole = named.map((name) => path.resolve(folder, name.replace(/^~(?=\/)/, homedir())));
  return [...new Set(whole)].filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** `@shot.png`, or `@"a shot.png"` where a name has spaces. */
const NAMED = /(?:^|\s)@(?:"([^"]+\.(?:png|jpe?g|webp|gif|pdf))"|(\S+?\.(?:png|jpe?g|webp|gif|pdf)))(?=$|[\s,;:.!?)])/gi;

async function send(file: string, api: Api): Promise<KeptImage> {
  const bytes = readFileSync(file);
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) throw usage(`${file} is no PNG, JPEG, WebP, GIF or PDF, whatever its name says.`);
  if (bytes.length > MOST_IMAGE_BYTES) throw usage(`${file} is larger than 10 MB. Name a smaller file.`);
  return { blob: await handOver(bytes, api), mediaType, name: path.basename(file).slice(0, 200) };
}

/** Puts bytes into the daemon's keeping, in pieces; gives the name (sha256) under which it keeps them. */
export async function handOver(bytes: Buffer, api: Api): Promise<string> {
  const upload = newCommandId();
  for (let start = 0; ; start += PIECE) {
    const base64 = bytes.subarray(start, start + PIECE).toString("base64");
    const { hash } = await api.blob.add.mutate({ upload, base64, last: start + PIECE >= bytes.length });
    if (hash !== undefined) return hash;
  }
}
