import { readBlob, uploadBlob } from "@baton/core/client/blob-transfer";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import type { Api } from "./connection-types.ts";

/** The image types that models accept. */
export const IMAGE_TYPES: readonly AttachmentRef["mediaType"][] = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"];

/** Uploads an image or a PDF to the daemon in pieces. */
export async function uploadImage(api: Api, file: File): Promise<AttachmentRef> {
  const mediaType = IMAGE_TYPES.find((type) => type === file.type);
  if (mediaType === undefined) throw new Error("Models accept PNG, JPEG, WebP, GIF and PDF files. Save the file in one of these formats.");
  const readBase64 = (start: number, end: number) => base64Of(file.slice(start, end));
  const blob = await uploadBlob(api, { size: file.size, readBase64 });
  return { blob, mediaType, ...(file.name === "" ? {} : { name: file.name.slice(0, 200) }) };
}

/** Downloads an image from the daemon. */
export const readImage = async (api: Api, { blob, mediaType }: AttachmentRef): Promise<Blob> =>
  new Blob(await readBlob(api, blob), { type: mediaType });

function base64Of(piece: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => fail(new Error("The image can no longer be read. Attach it again."));
    reader.readAsDataURL(piece);
  });
}
