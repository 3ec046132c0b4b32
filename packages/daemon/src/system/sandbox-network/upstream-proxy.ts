import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { openSocket, type DialResult } from "./open-socket.ts";
import { resourceOfTarget, type NetworkTarget } from "./network-target.ts";
import { waitUntilReadable } from "./wait-until-readable.ts";

/** The HTTP proxy through which the user's machine reaches the internet. */
export type Upstream = URL;

type Env = Readonly<Record<string, string | undefined>>;

const MAX_HEAD = 16 * 1024;

/** Reads the user's proxy from the environment of the daemon, as curl does. Only HTTP and HTTPS proxies are supported. */
export function upstreamOf(env: Env): (target: NetworkTarget) => Upstream | undefined {
  const read = (...names: string[]) => names.flatMap((name) => [env[name.toLowerCase()], env[name]]).find((value) => value);
  const parse = (text: string | undefined) => {
    const url = text === undefined ? null : URL.parse(text.includes("://") ? text : `http://${text}`);
    return url && /^https?:$/.test(url.protocol) ? url : undefined;
  };
  const [secure, plain] = [parse(read("HTTPS_PROXY", "ALL_PROXY")), parse(read("HTTP_PROXY", "ALL_PROXY"))];
  const direct = (read("NO_PROXY") ?? "").split(/[,\s]+/).filter((entry) => entry !== "");
  return (target) => (isDirect(target, direct) ? undefined : target.port === 80 ? (plain ?? secure) : secure);
}

const isDirect = ({ host, port }: NetworkTarget, entries: readonly string[]): boolean =>
  entries.some((entry) => {
    const [, name = "", only] = /^\*?\.?([^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (entry === "*") return true;
    return name !== "" && (only === undefined || Number(only) === port) && (host === name || host.endsWith(`.${name}`));
  });

/** Opens a tunnel through the user's proxy. */
export async function connectThrough(upstream: Upstream, target: NetworkTarget, signal: AbortSignal): Promise<DialResult> {
  const where = `The proxy ${upstream.host} of this machine`;
  const isSecure = upstream.protocol === "https:";
  const plain = await openSocket(upstream.hostname.replace(/^\[|\]$/g, ""), Number(upstream.port || (isSecure ? 443 : 80)), signal);
  if (typeof plain === "string") return { failed: `${where} could not be reached: ${plain}.` };
  const socket = isSecure ? connectTls({ socket: plain, servername: isIP(upstream.hostname) === 0 ? upstream.hostname : "" }) : plain;
  try {
    const authority = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`;
    const { username, password } = upstream;
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
    const login = username === "" ? "" : `Proxy-Authorization: Basic ${credentials}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
    const head = await readHead(socket, signal);
    if (/^HTTP\/1\.[01] 2\d\d/.test(head)) return { socket };
    socket.destroy();
    return { failed: `${where} refused ${resourceOfTarget(target)}: ${head.split("\r\n")[0]?.slice(0, 200)}.` };
  } catch (error) {
    socket.destroy();
    return {
      failed: `${where} did not connect to ${resourceOfTarget(target)}: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

/** Reads up to the empty line. The bytes behind it stay in the socket. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = Buffer.alloc(0);
  for (;;) {
    const chunk: unknown = socket.read();
    if (chunk instanceof Buffer) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end >= 0) {
        if (end + 4 < head.length) socket.unshift(head.subarray(end + 4));
        return head.toString("latin1", 0, end);
      }
      if (head.length > MAX_HEAD) throw new Error("its answer is too long");
    } else if (socket.readableEnded || socket.destroyed) throw new Error("it closed the connection");
    else await waitUntilReadable(socket, signal);
  }
}
