import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Rule } from "@baton/core/protocol/rule";
import { resourceOf } from "@baton/core/permission/url-resource";

/**
 * Returns a rule with its resource in the form in which accesses name it. `~`, `$HOME` and `${HOME}` at the start become the home folder. A path has
 * neither `./` at its start nor a double slash, and `folder/` means all that is in it. The host of an address is in lower case, without the default
 * port. If an absolute path leads through a symlink, there is a second rule for the real path, because accesses name real paths. A rule that
 * limits also names what else its text may mean: each name in braces, and all tools of an MCP server.
 */
export function normalizedRules<R extends Rule>(rule: R): R[] {
  const { action, effect, resource: named } = rule;
  if (typeof named === "object" && "exact" in named && effect !== "allow" && isOfPaths(action))
    return [...new Set([named.exact, normalizedPath(named.exact)])].map((exact) => ({ ...rule, resource: { exact } }));
  if (typeof named !== "string") return [rule];
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(named);
  const resource = rest ? `${homedir()}${rest[1] ?? ""}` : named;
  const resources = effect === "allow" ? allowedResources(action, resource) : limitedResources(action, resource);
  return [...new Set(resources)].map((each) => ({ ...rule, resource: each }));
}

/** True for an action whose resources may be paths: those of files, and `*` and the names of tools. */
const isOfPaths = (action: string): boolean => !/^(command|network|input|fetch|fetch_url|mcp)$/.test(action);
const isOfFiles = (action: string): boolean => /^(read|edit|external_directory)$/.test(action);

function allowedResources(action: string, resource: string): string[] {
  if (/^fetch(_url)?$/.test(action)) return [allowedAddress(resource)];
  if (action === "network") return [resource.toLowerCase()];
  return isOfFiles(action) && !/^\.\/\*+$/.test(resource) ? pathResources(action, resource) : [resource];
}

function limitedResources(action: string, resource: string): string[] {
  if (/^fetch(_url)?$/.test(action)) return limitedAddresses(resource);
  if (action === "network") return [resource.toLowerCase()];
  if (action === "mcp") return /__|[*?]/.test(resource) ? [resource] : [resource, `${resource}__*`];
  if (!isOfPaths(action)) return [resource];
  if (/^\.\/?(\*+)?$/.test(resource)) return isOfFiles(action) ? ["**"] : [resource, "**"];
  const paths = withoutBraces(resource).flatMap((each) => pathResources(action, each));
  return isOfFiles(action) ? paths : [resource, ...paths, ...(/^https?:/i.test(resource) ? limitedAddresses(resource) : [])];
}

function pathResources(action: string, resource: string): string[] {
  const paths = withoutFolders(normalizedPath(resource)).flatMap(withRealPath);
  const folders = action === "external_directory" ? paths.flatMap((each) => /^(.+)\/\*+$/.exec(each)?.[1] ?? []) : []; // the folder itself
  return [...paths, ...folders];
}

/** Between two folders, the wildcard for any folders also stands for none at all. */
function withoutFolders(resource: string): string[] {
  const [start = "", ...rest] = resource.split(/(?<=[^/])\/\*\*\//);
  const behind = (starts: readonly string[], each: string, i: number) =>
    starts.flatMap((at) => [`${at}/**/${each}`, ...(i < MAX_CHOICES ? [`${at}/${each}`] : [])]);
  return rest.reduce<string[]>(behind, [start]);
}

/** The limit for wildcards and lists in a path that are read in more than one way. */
const MAX_CHOICES = 4;

/** Returns a path, and each path that its braces stand for: `src/a` and `src/b` for `src/{a,b}`. */
function withoutBraces(resource: string, depth = 0): string[] {
  const [whole, items = ""] = depth < MAX_CHOICES ? (/\{([^{}]*,[^{}]*)\}/.exec(resource) ?? []) : [];
  if (whole === undefined) return [resource];
  return [
    resource,
    ...items.split(",").flatMap((item) =>
      withoutBraces(
        resource.replace(whole, () => item),
        depth + 1,
      ),
    ),
  ];
}

/**
 * Adds rules for the real paths of those that name a place in the workspace through a symlink, and for absolute paths of those that begin with
 * `..`. `source`: the folder of which the workspace is a copy. Absolute rules that limit this folder also limit the copy.
 */
export const withRealPlaces = <R extends Rule>(rules: readonly R[], workspace: string, source = workspace): R[] =>
  rules.flatMap((rule) => {
    const { action, effect, resource } = rule;
    if (effect === "allow" || !isOfPaths(action) || typeof resource !== "string") return [rule];
    if (source !== workspace && resource.startsWith(`${source}/`))
      return [rule, { ...rule, resource: workspace + resource.slice(source.length) }];
    if (!/^[^*?/]/.test(resource)) return [rule];
    const [named = "", real] = withRealPath(path.join(workspace, resource));
    const others = [...(resource.startsWith("../") ? [named] : []), ...(real === undefined ? [] : [real])];
    return [
      rule,
      ...others.map((each) => ({ ...rule, resource: each.startsWith(`${workspace}/`) ? each.slice(workspace.length + 1) : each })),
    ];
  });

function normalizedPath(resource: string): string {
  const within = /(^|\/)\.\.\//.test(resource) && !/[*?].*\.\./.test(resource) ? path.posix.normalize(resource) : resource;
  const plain = within
    .replaceAll(/\/(\.?\/)+/g, "/")
    .replace(/^\.\/(?=.)/, "")
    .replace(/(?<=.)\/\.$/, "/");
  return plain.length > 1 && plain.endsWith("/") ? `${plain}**` : plain;
}

function withRealPath(resource: string): string[] {
  if (!path.isAbsolute(resource)) return [resource];
  const fixed = /[*?]/.test(resource) ? (/^[^*?]*\//.exec(resource)?.[0] ?? "/") : resource;
  const real = realStart(path.resolve(fixed));
  return real === path.resolve(fixed) ? [resource] : [resource, path.join(real, resource.slice(fixed.length))];
}

/** Follows the symlinks in a path, as far as it exists. */
function realStart(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.dirname(file) === file ? file : path.join(realStart(path.dirname(file)), path.basename(file));
  }
}

/** The scheme, the host and the path of an address in a rule. Scheme and host may have wildcards. */
const ADDRESS = /^([a-z*]+:\/\/)?((?:\[[^\]/]*\]|[^/?#@\s:])+(?::[\d*]+)?)(\/.*)?$/is;

/** Returns an address as `fetch` names it. It stays as it is if it has no scheme, or a wildcard at its end. */
function allowedAddress(address: string): string {
  const [, scheme = "", host = "", rest = ""] = ADDRESS.exec(address) ?? [];
  if (!/^https?:\/\/$/i.test(scheme) || host.endsWith("*") || !/[.\]]/.test(host)) return address;
  const own = normalizedHost(scheme, host);
  return own === undefined ? address : `${scheme.toLowerCase()}${own}${rest === "" ? "/" : rest.replaceAll(/%7e/gi, "~")}`;
}

/** Returns addresses that a rule limits. A host without a scheme or a path stands for all of its pages. */
function limitedAddresses(address: string): string[] {
  const [, scheme = "", host = "", rest = ""] = ADDRESS.exec(address) ?? [];
  if (!/[.\]*]/.test(host) || /^\*+$/.test(`${scheme}${host}${rest}`)) return [address];
  const schemes = scheme === "" ? ["https://", "http://"] : [scheme.toLowerCase()];
  const path = rest === "" ? (host.endsWith("*") ? "" : "/*") : normalizedPathOfAddress(rest);
  return schemes.map((each) => `${each}${normalizedHost(each, host) ?? host.toLowerCase()}${path}`);
}

/** Returns a host as an access names it, without the default port of its scheme. Undefined if it is none. */
function normalizedHost(scheme: string, host: string): string | undefined {
  const plain = URL.parse(`${scheme.replace(/.*\*.*/, "https://")}${host.replaceAll("*", WILDCARD)}`);
  return plain?.host.replace(/\.(?=:\d+$|$)/, "").replaceAll(WILDCARD, "*");
}

/** Returns the path of an address as `fetch` names it: other letters and blanks are encoded, and letters that need no encoding are not. */
function normalizedPathOfAddress(text: string): string {
  const plain = URL.parse(`https://host${text.replaceAll("*", WILDCARD).replaceAll("?", ONE_LETTER)}`);
  return plain === null ? text : resourceOf(plain).slice("https://host".length).replaceAll(WILDCARD, "*").replaceAll(ONE_LETTER, "?");
}

/** Stand for wildcards while an address of a rule is parsed. */
const WILDCARD = "wildcard-0";
const ONE_LETTER = "wildcard-1";
