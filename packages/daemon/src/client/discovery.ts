import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { parseJson } from "@baton/core/text/json";

export { PROTOCOL } from "@baton/core/protocol/connection/version";

/** The file with which clients find a running daemon. Only its user can read it. */
export type Discovery = {
  pid: number;
  bootId: string;
  port: number;
  token: string;
  protocol: number;
  version: string;
  startedAt: number;
  /** The build that it runs. Older daemons do not write it. */
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

/** Checks the fields without a schema library, which would take most of a client's start. */
function isDiscovery(content: unknown): content is Discovery {
  return (
    typeof content === "object" &&
    content !== null &&
    Object.entries(shape).every(([key, type]) => typeof (content as Record<string, unknown>)[key] === type)
  );
}

/** The daemon that the file names, if it is alive: the program on its port must have the same boot id. */
export async function findDaemon(file: string): Promise<Discovery | undefined> {
  const content = await readDiscovery(file);
  return content && (await bootIdAt(content.port)) === content.bootId ? content : undefined;
}

/** The content of the file, even if that daemon is no longer alive. */
export async function readDiscovery(file: string): Promise<Discovery | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const content = text === undefined ? undefined : parseJson(text);
  return isDiscovery(content) ? content : undefined;
}

const TIMEOUT_MS = 2_000;

/** Requests `/healthz` over a plain socket, because loading the HTTP client would take longer than everything else here. */
function bootIdAt(port: number): Promise<string | undefined> {
  return new Promise((answer) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    const done = (bootId?: string) => {
      socket.destroy();
      answer(bootId);
    };
    socket.setTimeout(TIMEOUT_MS, () => done());
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
