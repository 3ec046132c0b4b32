/** The scheme and the host of an address. In a rule, both may have wildcards. */
const ADDRESS_OF_RULE = /([a-z*?][a-z0-9+.*?-]*:\/\/|\b(?=localhost|127\.))([^/#\s"']*)/gi;
/** The same in a command. A quote in a host is a part of it, because the shell joins what is around the quote. */
const ADDRESS = /([a-z][a-z0-9+.-]*:\/\/|\b(?=localhost|127\.))([^/?#\s]*?)(?=["']*(?:\s|$)|[/?#])/gi;

/**
 * True unless a wildcard in the host of `pattern` runs into another host in `text`. `http://localhost*` reaches every port and path of
 * localhost but not `http://localhost.example.com`, and `https://*.example.com` does not reach `https://other.com/.example.com`. A wildcard in a
 * path does not leave its folder either.
 */
export const matchStaysOnHost = (pattern: string, text: string): boolean =>
  staysBehindScheme(pattern, text) &&
  [...pattern.matchAll(ADDRESS_OF_RULE)].every(([, scheme = "", host = ""]) => staysOn(scheme, host, text)) &&
  namesOnlyHost(pattern, text) &&
  !(/:\/\/[^/]+\/.*\*/.test(pattern) && !DOT_SEGMENT.test(pattern) && DOT_SEGMENT.test(text));

/** True unless a pattern without a scheme, such as `*.example.com/*`, is about another part of an address than its host. */
function staysBehindScheme(pattern: string, text: string): boolean {
  const [, host = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)\S*$/i.exec(text) ?? [];
  const [, own = ""] = /^(\*[^/\s]+)(\/|$)/.exec(pattern) ?? [];
  return host === "" || !/\w/.test(own) || own.includes(":") || reachedHosts(own).test(host);
}

function staysOn(scheme: string, host: string, text: string): boolean {
  const at = `${scheme}${host}`.search(/[*?]/);
  if (at < 0 || (/^\*+$/.test(host) && !/[*?]/.test(scheme))) return true;
  const start = `${scheme}${host}`.slice(0, Math.min(at, /[*?]/.test(scheme) ? 0 : at)).toLowerCase();
  const reached = reachedHosts(host);
  return [...text.matchAll(ADDRESS)].every(([whole, , found = ""]) => !whole.toLowerCase().startsWith(start) || reached.test(found));
}

/** A part `..` or `.` in the path of an address, also with encoded dots. Programs remove it before they send the address. */
const DOT_SEGMENT = /:\/\/\S*?(\/|%(25)*(2f|5c)|\\)(\.|%(25)*2e){1,2}(?=[/?#;\\\s"']|%(25)*(2f|5c)|$)/i;

/** A complete host without a scheme in front of a wildcard, and programs that take such a host. */
const PLAIN_HOST = /(?<=^|[\s@])(?:[\w-]+\.)+[a-z]{2,}(?=\*)/gi;
const TAKES_HOST = /^(curl|wget|https?|xh|git|ssh|scp|sftp|rsync|mosh|telnet|nc|ping|dig)\s|^\S+$/;

/** True unless a wildcard behind a host without a scheme runs into another host: `curl example.com*` and `curl example.com.evil.org`. */
const namesOnlyHost = (pattern: string, text: string): boolean =>
  !TAKES_HOST.test(pattern) || (pattern.match(PLAIN_HOST) ?? []).every((host) => behind(host, text).every((rest) => ENDS_HOST.test(rest)));

/** Returns the rest of each word that begins with the host. */
const behind = (host: string, text: string): string[] =>
  [...text.matchAll(new RegExp(`(?<=^|[\\s@])${host.replaceAll(".", "\\.")}(\\S*)`, "gi"))].map(([, rest = ""]) => rest);

/** The end of a host: its path, or its port without a host behind it. */
const ENDS_HOST = /^($|[/?#]|:[^@/?#]*([/?#]|$))/;

/** A `*` inside a host reaches any labels. At its end it reaches the rest of a number, of the port, or of a host that is not complete. */
function reachedHosts(host: string): RegExp {
  const name = host.replace(/\*+$/, "");
  const source = name.replace(/\*+|\?|\W/g, (part) => (part.startsWith("*") ? "[\\w.-]*" : part === "?" ? "[\\w.-]" : `\\${part}`));
  return new RegExp(`^${source}${name === host ? "" : openEnd(name)}$`, "i");
}

function openEnd(name: string): string {
  if (/:\d*$/.test(name)) return "\\d*";
  if (/^[\d.]+\.$/.test(name)) return "[\\d.]*(:\\d*)?";
  return `${/^localhost$|\.[a-z]{2,}$|^(\d+\.){3}\d+$|\]$/i.test(name) ? "" : "[\\w.-]*"}(:\\d*)?`;
}
