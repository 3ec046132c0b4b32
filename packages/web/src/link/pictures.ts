import type { KeptImage } from "@baton/core/protocol/image";
import type { Api } from "./link.ts";

/** What a model can look at. */
export const PICTURES: readonly KeptImage["mediaType"][] = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"];

/** Base64 makes four bytes of three, and a message to the daemon has at most a megabyte. */
const PIECE = 384 * 1024;

/** Hands a picture or a PDF to the daemon, piece by piece, and gives the name under which it is kept there. */
export async function sendPicture(api: Api, file: File): Promise<KeptImage> {
  const mediaType = PICTURES.find((type) => type === file.type);
  if (mediaType === undefined)
    throw new Error("A model reads pictures as PNG, JPEG, WebP and GIF, and PDFs. Save the file as one of these.");
  const upload = crypto.randomUUID();
  for (let start = 0; ; start += PIECE) {
    const last = start + PIECE >= file.size;
    const base64 = await base64Of(file.slice(start, start + PIECE));
    const { hash } = await api.blob.add.mutate({ upload, base64, last });
    if (hash !== undefined) return { blob: hash, mediaType, ...(file.name === "" ? {} : { name: file.name.slice(0, 200) }) };
    if (last) throw new Error("The daemon did not keep the file. Attach it again.");
  }
}

/** A picture that the daemon keeps. */
export async function readPicture(api: Api, { blob: hash, mediaType }: KeptImage): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; ;) {
    const { base64, more } = await api.blob.read.query({ hash, start });
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    pieces.push(bytes);
    start += bytes.length;
    if (!more || bytes.length === 0) return new Blob(pieces, { type: mediaType });
  }
}

function base64Of(piece: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => fail(new Error("The picture cannot be read any more. Attach it again."));
    reader.readAsDataURL(piece);
  });
}
