import type { GatedAccess } from "@baton/core/permission/judge";
import { resourceOf } from "../../url-gate.ts";
import type { Word } from "../words/word.ts";
import { NETWORK_PROGRAMS } from "./shell-program.ts";

/** A host without a scheme, as `curl`, `ssh` and `git clone` take it. */
const HOST = /^(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z]{2,}\.?)(?=[:/?#]|$)/i;
/** Subcommands of git that connect to the addresses in their words. */
const CONNECTING = /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/;

/** Returns accesses for the addresses in the words of a program that may connect to them. Rules about fetching and about hosts limit them. */
export function namedAddresses(name: string, words: readonly Word[]): GatedAccess[] {
  if (name === "git" && !words.some(({ text }) => CONNECTING.test(text))) return [];
  const takesHosts = name === "git" || name === "rsync" || NETWORK_PROGRAMS.has(name);
  const hosts = takesHosts ? words.flatMap(({ text }) => HOST.exec(text)?.[1] ?? []) : [];
  const addresses = [...words.flatMap(({ text }) => text.match(/\b\w+:\/\/[^\s"'<>|]+/g) ?? []), ...hosts.map((host) => `x://${host}/`)];
  return addresses.flatMap((address) => {
    const url = URL.parse(address.replace(/^\w+:/, "https:"));
    const page = url ? resourceOf(url) : "";
    const resources = [page, page.replace("https:", "http:")].map((resource) => ({ action: "fetch", resource, suspected: true as const }));
    return url ? [{ action: "network", resource: page.split("/")[2] ?? "", suspected: true as const }, ...resources] : [];
  });
}
