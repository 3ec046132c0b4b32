import { isIP } from "node:net";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { Access, Effect, SourcedRule } from "@baton/core/protocol/rule";
import { isPublicAddress } from "./address.ts";
import { resourceOf } from "@baton/core/permission/url-resource";
import { wordSet } from "./command/tables/name-matcher.ts";

const MOST_LETTERS = 4_000;
const MOST_QUERY = 200;
/** Above this length, the characters of a path count like those of a query. */
const MOST_PATH = 300;
/** Ports below 1024 that belong to the web. The others belong to services that are not web servers. */
const WEB_PORTS = new Set(["", "80", "443"]);
/** Ports from 1024 upwards on which databases, brokers and remote controls listen. */
const SERVICE_PORTS = wordSet(`1433 1521 2049 2375 2376 2379 3306 3389 5432 5672 5900 5984 6379 6443 9042 9200 9300 10250 11211 27017`);

/**
 * Returns the access for fetching an address: `scheme://host/path`, with the port if it is not the default. Refuses addresses
 * that no rule could handle. The target of the host name is checked again when the connection is made.
 */
export function gateUrl(named: string): GatedAccess[] | { refused: string } {
  const url = readUrl(named);
  if ("refused" in url) return url;
  return [accessOf(url, url.search.length + Math.max(0, url.pathname.length - MOST_PATH), "the address carries much text")];
}

/** Returns the access for a web search: fetching the address of the service, which the user configured. It may be on the user's network. */
export function gateSearch(query: string, address: URL | undefined): GatedAccess[] | { refused: string } {
  if (!address) return { refused: "No service for web searches is configured." };
  return [accessOf(address, query.length, "the search carries much text")];
}

/** `sent`: how many characters of the agent's choice go along. */
function accessOf(url: URL, sent: number, why: string): GatedAccess {
  // A rule cannot name the query, so an answer holds only for this address.
  const floor: SourcedRule = { action: "fetch", resource: "*", effect: "ask", layer: "gate", source: `url gate: ${why}`, once: true };
  return { action: "fetch", resource: resourceOf(url), ...(sent > MOST_QUERY ? { floor } : {}) };
}

/** Returns the narrowest grant that is still useful: everything on this host, over this scheme. */
export const hostRuleOf = (resource: string): string => `${/^[a-z]+:\/\/[^/]+/.exec(resource)?.[0] ?? resource}/*`;

/** Parses an address as browsers do. Refuses everything that is not plainly a page of the public web. */
export function readUrl(named: string): URL | { refused: string } {
  if (named.length > MOST_LETTERS) return { refused: `The address is longer than ${MOST_LETTERS} characters.` };
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x20\x7f\\\u2028-\u202e]|\p{Default_Ignorable_Code_Point}/u.test(named))
    return { refused: "The address holds blanks, backslashes or hidden characters. Write it plainly." };
  const url = URL.parse(named);
  if (!url) return { refused: "This is not a complete address. Begin with https:// and the host." };
  if (url.protocol !== "http:" && url.protocol !== "https:") return { refused: `Only http and https are fetched, not ${url.protocol}` };
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(named))
    return { refused: "The address holds a user name or a password. Leave them out." };
  if ((!WEB_PORTS.has(url.port) && Number(url.port) < 1024) || SERVICE_PORTS.has(url.port))
    return { refused: `Port ${url.port} is not one of web servers.` };
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(host) === 4 && !named.includes(host)) return { refused: `The host is ${host} in another spelling. Write it plainly.` };
  if (isIP(host) !== 0 && !isPublicAddress(host)) return { refused: `${host} is not an address of the public internet.` };
  if (isIP(host) === 0 && !/^([\w-]+\.)*[\w-]+$/.test(host)) return { refused: `${host} is no name of a host.` };
  if (isLocalName(host)) return { refused: `${host} names this machine or its network. Use curl in a command if the person wants that.` };
  return url;
}

/** True for names without a dot, names that no public server uses, and names that are known to lead back to this machine. */
const isLocalName = (host: string): boolean =>
  (isIP(host) === 0 && !host.includes(".")) ||
  /\.(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa|test|invalid|onion|svc)$|^metadata\.goog$/.test(host) ||
  /(^|\.)(localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|nip\.io|sslip\.io|xip\.io)$/.test(host);

/**
 * Returns a function that checks where one call may go. The call may go to the addresses for which it was judged. On the same
 * host it may go wherever no rule denies it. Elsewhere it needs a rule that allows the address without asking. `effectOf`
 * returns the effect of the rules on a resource.
 */
export function addressChecker(judged: readonly Access[], effectOf: (resource: string) => Effect) {
  const resources = judged.filter(({ action }) => action === "fetch").map(({ resource }) => resource);
  const hosts = new Set(resources.map(hostRuleOf));
  return (named: string): { url: URL } | { refused: string } => {
    const gated = gateUrl(named);
    if ("refused" in gated) return gated;
    const url = new URL(named);
    const resource = resourceOf(url);
    if (resources.includes(resource)) return { url };
    const effect = effectOf(resource);
    if (effect === "allow" || (effect === "ask" && hosts.has(hostRuleOf(resource)))) return { url };
    return { refused: `That address was not allowed. Call fetch_url with ${url.href} to have it judged.` };
  };
}
