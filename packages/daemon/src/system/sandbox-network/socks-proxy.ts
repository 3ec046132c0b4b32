import type { Socket } from "node:net";
import { openByteReader, type ByteReader } from "./byte-reader.ts";
import { joinSockets } from "./join-sockets.ts";
import type { ConnectTarget } from "./connect-target.ts";
import { readTarget, type NetworkTarget } from "./network-target.ts";

/** The replies of SOCKS 5 (RFC 1928, 6), and the two of SOCKS 4. */
const SUCCESS = 0;
const NOT_ALLOWED = 2;
const UNREACHABLE = 4;
const NO_COMMAND = 7;
const MAX_TEXT = 512;

/**
 * Serves one SOCKS 5 or SOCKS 4a connection without a login. Names are resolved here. Only CONNECT exists, so there is no UDP. `began` is called
 * when the request is complete.
 */
export async function serveSocks(socket: Socket, reach: ConnectTarget, began: (socket: Socket) => void): Promise<void> {
  socket.on("error", () => socket.destroy());
  const reader = openByteReader(socket);
  try {
    const [version] = await reader.take(1);
    const asked = version === 5 ? await readSocks5(reader, socket) : await readSocks4(reader);
    began(socket);
    reader.release();
    const reply = version === 5 ? replyOf5 : replyOf4;
    if (typeof asked === "number") return void socket.end(reply(asked));
    if ("refused" in asked) return void socket.end(reply(NOT_ALLOWED));
    const found = await reach(asked, socket);
    if (!("socket" in found)) return void socket.end(reply("refused" in found ? NOT_ALLOWED : UNREACHABLE));
    socket.write(reply(SUCCESS));
    joinSockets(socket, found.socket);
  } catch {
    socket.destroy(); // the client went away, or sent something else
  }
}

const replyOf5 = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
const replyOf4 = (code: number): Buffer => Buffer.from([0, code === SUCCESS ? 90 : 91, 0, 0, 0, 0, 0, 0]);

/** The target, or a code that refuses. */
async function readSocks5({ take }: ByteReader, socket: Socket): Promise<NetworkTarget | { refused: string } | number> {
  const [methods = 0] = await take(1);
  const offered = methods === 0 ? Buffer.alloc(0) : await take(methods);
  if (!offered.includes(0)) {
    socket.write(Buffer.from([5, 0xff]));
    throw new Error("the client wants a login");
  }
  socket.write(Buffer.from([5, 0]));
  const [version, command, , kind] = await take(4);
  if (version !== 5) throw new Error("no SOCKS 5");
  const host = await readHost(take, kind);
  const port = (await take(2)).readUInt16BE();
  if (host === undefined || command !== 1) return NO_COMMAND;
  return readTarget(host, port);
}

async function readHost(take: ByteReader["take"], kind: number | undefined): Promise<string | undefined> {
  if (kind === 1) return [...(await take(4))].join(".");
  if (kind === 3) {
    const [length = 0] = await take(1);
    return length === 0 ? "" : (await take(length)).toString("latin1");
  }
  if (kind !== 4) throw new Error("unknown kind of address");
  const bytes = await take(16);
  return `[${Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(":")}]`;
}

/** An address 0.0.0.x means that a name follows (SOCKS 4a). */
async function readSocks4({ take }: ByteReader): Promise<NetworkTarget | { refused: string } | number> {
  const [command, high = 0, low = 0, ...address] = await take(7);
  await textUntilZero(take); // the name of the user
  const isNamed = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  const host = isNamed ? await textUntilZero(take) : address.join(".");
  return command === 1 ? readTarget(host, high * 256 + low) : NO_COMMAND;
}

async function textUntilZero(take: ByteReader["take"]): Promise<string> {
  let text = "";
  for (;;) {
    const [byte = 0] = await take(1);
    if (byte === 0) return text;
    text += String.fromCharCode(byte);
    if (text.length > MAX_TEXT) throw new Error("a text is too long");
  }
}
