import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unpack = promisify(gunzip);

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ttf": "font/ttf",
  ".woff2": "font/woff2",
};

/**
 * The page may run its own scripts and styles and talk to this daemon, and nothing else. It opens one frame, which draws diagrams with a
 * library that writes styles. That frame may run the page's scripts and talk to nobody.
 */
const policy = (port: number, isFrame: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    isFrame ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    ...(isFrame ? [] : [`connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`, "frame-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    isFrame ? "frame-ancestors 'self'" : "frame-ancestors 'none'",
  ].join("; ");

/**
 * Serves the built page from `folder`: `/` is its index, with any query, and other paths are files below `assets/`, which are compressed in a
 * package. Returns false if there is no such file.
 */
export async function serveStaticFile(
  folder: string,
  { url = "/", headers }: Pick<IncomingMessage, "url" | "headers">,
  port: number,
  response: ServerResponse,
): Promise<boolean> {
  const isIndex = url === "/" || url.startsWith("/?");
  const name = isIndex ? "index.html" : /^\/(assets\/[A-Za-z0-9_.-]+)$/.exec(url)?.[1];
  const type = name === undefined ? undefined : TYPES[path.extname(name)];
  if (name === undefined || type === undefined) return false;
  const read = (file: string) => readFile(path.join(folder, file)).catch(() => undefined);
  const plain = await read(name);
  const packed = plain ? undefined : await read(`${name}.gz`);
  const isSentPacked = packed !== undefined && /\bgzip\b/.test(String(headers["accept-encoding"]));
  const content = plain ?? (packed && !isSentPacked ? await unpack(packed) : packed);
  if (!content) return false;
  response.writeHead(200, {
    "content-type": type,
    ...(packed ? { vary: "accept-encoding" } : {}),
    ...(isSentPacked ? { "content-encoding": "gzip" } : {}),
    "content-security-policy": policy(port, url === "/?diagrams"),
    "cache-control": isIndex ? "no-store" : "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  });
  response.end(content);
  return true;
}
