import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Rule } from "@baton/core/protocol/rule";
import { attempt } from "./command/files/path-on-disk.ts";

/**
 * Returns a rule with its resource in the form in which accesses name it. `~`, `$HOME` and `${HOME}` at the start become the home folder. A path has
 * neither `./` at its start nor a double slash, and `folder/` means all that is in it. The host of an address is in lower case, without the default
 * port. If an absolute path leads through a symlink, there is a second rule for the real path, because accesses name real paths.
 */
export function normalizedRules<R extends Rule>(rule: R): R[] {
  if (typeof rule.resource !== "string") return [rule];
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(rule.resource);
  const resource = rest ? `${homedir()}${rest[1] ?? ""}` : rule.resource;
  if (rule.action === "fetch") return [{ ...rule, resource: normalizedAddress(resource) }];
  if (!/^(read|edit|external_directory)$/.test(rule.action)) return [{ ...rule, resource }];
  return withRealPath(normalizedPath(resource)).map((each) => ({ ...rule, resource: each }));
}

function normalizedPath(resource: string): string {
  const plain = resource
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
  const real = attempt(() => realpathSync.native(file));
  return real ?? (path.dirname(file) === file ? file : path.join(realStart(path.dirname(file)), path.basename(file)));
}

/** Returns an address as `fetch` names it. A host with a wildcard stays as it is. */
function normalizedAddress(address: string): string {
  const [, origin = "", rest = ""] = /^(https?:\/\/[^/*?#@]+)(\/.*)?$/is.exec(address) ?? [];
  const url = URL.parse(origin);
  return url ? `${url.protocol}//${url.host.replace(/\.(?=:\d+$|$)/, "")}${rest === "" ? "/" : rest}` : address;
}
