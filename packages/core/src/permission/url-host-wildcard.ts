/** An address with a scheme, or the name of this computer without one. */
const ADDRESS = /([a-z][a-z0-9+.-]*:\/\/|\b(?=localhost|127\.))([^/?#\s"']*)/gi;

/**
 * True unless a `*` in the host of `pattern` runs into another host in `text`. `http://localhost*` reaches every port and path of
 * localhost but not `http://localhost.example.com`, and `https://*.example.com` does not reach `https://other.com/.example.com`.
 */
export const matchStaysOnHost = (pattern: string, text: string): boolean =>
  [...pattern.matchAll(ADDRESS)].every(([, scheme = "", host = ""]) => {
    if (/^([^*]*|\*+)$/.test(host)) return true;
    const start = `${scheme}${host.slice(0, host.indexOf("*"))}`.toLowerCase();
    const reached = reachedHosts(host);
    return [...text.matchAll(ADDRESS)].every(([whole, , found = ""]) => !whole.toLowerCase().startsWith(start) || reached.test(found));
  });

/** A `*` inside a host reaches any labels. At its end it reaches the rest of a number, of the port, or of a host that is not complete. */
function reachedHosts(host: string): RegExp {
  const name = host.replace(/\*+$/, "");
  const source = name.replace(/\*+|\W/g, (part) => (part.startsWith("*") ? "[\\w.-]*" : `\\${part}`));
  return new RegExp(`^${source}${name === host ? "" : openEnd(name)}$`, "i");
}

function openEnd(name: string): string {
  if (/:\d*$/.test(name)) return "\\d*";
  if (/^[\d.]+\.$/.test(name)) return "[\\d.]*(:\\d*)?";
  return `${/^localhost$|\.[a-z]{2,}$|^(\d+\.){3}\d+$|\]$/i.test(name) ? "" : "[\\w.-]*"}(:\\d*)?`;
}
