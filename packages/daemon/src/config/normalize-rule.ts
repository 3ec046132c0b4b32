import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Rule } from "@baton/core/protocol/rule";

/**
 * Returns a rule with its resource in the form in which accesses name it. `~`, `$HOME` and `${HOME}` at the start become the home folder. A path has
 * neither `./` at its start nor a double slash, and `folder/` means all that is in it. The host of an address is in lower case, without the default
 * port. If an absolute path leads through a symlink, there is a second rule for the real path, because accesses name real paths.
 */
export function normalizedRules<R extends Rule>(rule: R): R[] {
  if (typeof rule.resource !== "string") return [rule];
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(rule.resource);
  const resource = rest ? `${homedir()}${rest[1] ?? ""}` : rule.resource;
  if (rule.action === "fetch") return normalizedAddresses(resource, rule.effect).map((each) => ({ ...rule, resource: each }));
  if (/^(command|network|input)$/.test(rule.action)) return [{ ...rule, resource }];
  // A rule for all actions, or for a tool, may be about a path.
  if (!/^(read|edit|external_directory)$/.test(rule.action))
    return [...new Set([resource, ...(rule.effect === "allow" ? [] : [normalizedPath(resource)])])].map((each) => ({
      ...rule,
      resource: each,
    }));
  if (/^\.\/?(\*+)?$/.test(resource) && rule.effect !== "allow") return [{ ...rule, resource: "**" }];
  if (/^\.\/\*+$/.test(resource)) return [rule];
  const paths = withoutFolders(normalizedPath(resource)).flatMap(withRealPath);
  const folders = rule.action === "external_directory" ? paths.flatMap((each) => /^(.+)\/\*+$/.exec(each)?.[1] ?? []) : []; // the folder itself
  return [...new Set([...paths, ...folders])].map((each) => ({ ...rule, resource: each }));
}

/** Between two folders, the wildcard for any folders also stands for none at all. */
const withoutFolders = (resource: string): string[] =>
  /[^/]\/\*\*\//.test(resource) ? [resource, resource.replaceAll(/(?<=[^/])\/\*\*(?=\/)/g, "")] : [resource];

/** Adds rules for the real paths of those that name a place in the workspace through a symlink. */
export const withRealPlaces = <R extends Rule>(rules: readonly R[], workspace: string): R[] =>
  rules.flatMap((rule) => {
    const { action, effect, resource } = rule;
    const isPlace = effect !== "allow" && /^(read|edit)$/.test(action) && typeof resource === "string" && /^[^*?/]/.test(resource);
    const [, real] = isPlace ? withRealPath(path.join(workspace, resource)) : [];
    return real === undefined
      ? [rule]
      : [rule, { ...rule, resource: real.startsWith(`${workspace}/`) ? real.slice(workspace.length + 1) : real }];
  });

function normalizedPath(resource: string): string {
  const within =
    !path.isAbsolute(resource) && /(^|\/)\.\.\//.test(resource) && !/[*?].*\.\./.test(resource) ? path.posix.normalize(resource) : resource;
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

/** Returns an address as `fetch` names it. A rule that limits a host without a scheme or a path is about all of its pages. */
function normalizedAddresses(address: string, effect: Rule["effect"]): string[] {
  const [, scheme = "", host = "", rest = ""] =
    /^(https?:\/\/)?([^/*?#@\s]+\.[^/*?#@\s]+|[^/?#@\s]*\*[^/?#@\s]*\.[^/*?#@\s]+)(\/.*)?$/is.exec(address) ?? [];
  const plain = URL.parse(`${scheme === "" ? "https://" : scheme}${host.replaceAll("*", WILDCARD)}`);
  if (!plain || (scheme === "" && effect === "allow")) return [address];
  const own = plain.host.replace(/\.(?=:\d+$|$)/, "").replaceAll(WILDCARD, "*");
  const path = rest === "" ? (effect === "allow" ? "/" : "/*") : rest.replaceAll(/%7e/gi, "~");
  return (scheme === "" ? ["https://", "http://"] : [scheme.toLowerCase()]).map((each) => `${each}${own}${path}`);
}

/** Stands for a wildcard while the host of a rule is parsed. */
const WILDCARD = "wildcard-0";
