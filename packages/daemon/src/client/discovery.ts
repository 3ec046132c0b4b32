import { readFile } from "node:fs/promises";
import { connect } from "node:net";

export { PROTOCOL } from "@baton/core/protocol/version";

/** What a running daemon leaves for its clients, in a file that only its user can read. */
export type Discovery = {
  pid: number;
  bootId: string;
  port: number;
  token: string;
  protocol: number;
  version: string;
  startedAt: number;
  /** Which build of that version it runs; daemons of before do not say. */
  build?: string | undefined;
};

const shape: Record<Exclude<keyof Discovery, "build">, "number" | "string"> = {
  pid: "number",
  bootId: "string",
  port: "number",
  token: "string",
  protocol: "number",
  version: "string",
  startedAt: "number",
};

/** Whether this is what a daemon writes. By hand, as a schema library would be the larger part of a client's start. */
function isDiscovery(said: unknown): said is Discovery {
  return (
    typeof said === "object" &&
    said !== null &&
    Object.entries(shape).every(([key, type]) => typeof (said as Record<string, unknown>)[key] === type)
  );
}

/** The daemon that this file speaks of, if it lives: what answers on its port has to be the very same one. */
export async function findDaemon(file: string): Promise<Discovery | undefined> {
  const said = await readDiscovery(file);
  return said && (await bootIdAt(said.port)) === said.bootId ? said : undefined;
}

/** What the file says, whether that daemon still lives or not. */
export async function readDiscovery(file: string): Promise<Discovery | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const said = text === undefined ? undefined : parse(text);
  return isDiscovery(said) ? said : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // half a file is no daemon
  }
}

const PATIENCE_MS = 2_000;

/** Asks for `/healthz` over a bare socket: the HTTP client would cost more than all the rest of finding a daemon. */
function bootIdAt(port: number): Promise<string | undefined> {
  return new Promise((answer) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    const done = (bootId?: string) => {
      socket.destroy();
      answer(bootId);
    };
    socket.setTimeout(PATIENCE_MS, () => done());
    socket.on("error", () => done());
    socket.on("close", () => done());
    socket.on("connect", () => socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`));
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const bootId = /"bootId":"([0-9a-f-]+)"/.exec(text)?.[1];
      if (bootId !== undefined) done(bootId);
    });
  });
}
