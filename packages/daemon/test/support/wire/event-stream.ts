import { crc32 } from "node:zlib";

/**
 * One message of `application/vnd.amazon.eventstream`: the lengths of the whole and of its headers, their checksum, headers, payload, and
 * a checksum of everything before. Numbers start with their highest byte. Every header here is a text (type 7).
 */
export function frame(headers: Readonly<Record<string, string>>, payload: object): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(16 + head.length + body.length, 0);
  lengths.writeUInt32BE(head.length, 4);
  return checked(Buffer.concat([checked(lengths), head, body]));
}

function header(name: string, value: string): Buffer {
  const about = Buffer.alloc(3);
  about.writeUInt8(7, 0);
  about.writeUInt16BE(Buffer.byteLength(value), 1);
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), about, Buffer.from(value)]);
}

function checked(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes), 0);
  return Buffer.concat([bytes, sum]);
}
