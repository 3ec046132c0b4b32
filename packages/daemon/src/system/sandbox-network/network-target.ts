import { isIP } from "node:net";

/** Where a connection goes. `host`: a name in lower case without a dot at its end, or an IP address without brackets. */
export type NetworkTarget = { host: string; port: number };

const MAX_NAME = 253;

/** Reads a host and a port that a program named. Refuses every spelling that one part of the machine may read in another way. */
export function readTarget(named: string, port: number): NetworkTarget | { refused: string } {
  const shown = JSON.stringify(named.slice(0, 100));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return { refused: `The port of the host ${shown} is invalid.` };
  const isBracketed = named.startsWith("[");
  const host = named
    .replace(/^\[([^\]]*)\]$/, "$1")
    .toLowerCase()
    .replace(/\.$/, "");
  if (isIP(host) === 6) return host.includes("%") ? { refused: `${shown} names a device of this machine.` } : { host: ipv6(host), port };
  if (isIP(host) === 4 && !isBracketed) return { host, port };
  if (
    isBracketed ||
    host.length === 0 ||
    host.length > MAX_NAME ||
    !/^(?:[a-z\d_](?:[\w-]{0,61}[a-z\d_])?\.)*[a-z\d_](?:[\w-]{0,61}[a-z\d_])?$/.test(host)
  )
    return { refused: `${shown} is no name of a host. Write international names with xn--.` };
  const url = URL.parse(`http://${host}/`);
  if (!url || isIP(url.hostname) !== 0) return { refused: `${shown} is an IP address in another spelling. Write it plainly.` };
  return { host, port };
}

/** One spelling for each IPv6 address. */
const ipv6 = (host: string): string => new URL(`http://[${host}]/`).hostname.slice(1, -1);

/** Reads `host:port`, as CONNECT names it. */
export function readAuthority(text: string): NetworkTarget | { refused: string } {
  const [, host, port] = /^(\[[^\]]*\]|[^:[\]]*):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined) return { refused: `${JSON.stringify(text.slice(0, 100))} is not a host with a port.` };
  return readTarget(host, Number(port));
}

/** The header `Host` for a target. `usual`: the port that it does not name. */
export const authorityOf = ({ host, port }: NetworkTarget, usual: number): string => {
  const named = isIP(host) === 6 ? `[${host}]` : host;
  return port === usual ? named : `${named}:${port}`;
};

/** The form that rules use: the host alone for web ports, otherwise with the port. */
export function resourceOfTarget({ host, port }: NetworkTarget): string {
  const named = isIP(host) === 6 ? `[${host}]` : host;
  return port === 80 || port === 443 ? named : `${named}:${port}`;
}
