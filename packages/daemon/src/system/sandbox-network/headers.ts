import type { IncomingMessage } from "node:http";

/** Headers that belong to a connection, and the host, which follows the target. */
const HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|http2-settings)$/i;

/** The names and values of raw headers, which alternate. */
export const headerPairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, raw[i + 1] ?? ""]] : []));

/** The headers that belong to the message, not to the connection (RFC 9110, 7.6.1). */
export function endToEndHeaders({ rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">): [string, string][] {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/[,\s]+/));
  return headerPairs(rawHeaders).filter(([name]) => !HOP.test(name) && !named.has(name.toLowerCase()));
}
