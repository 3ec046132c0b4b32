import type { GatedAccess } from "@baton/core/permission/judge";
import { resourceOf } from "../../url-gate.ts";
import type { Word } from "../words/word.ts";
import { NETWORK_PROGRAMS } from "./shell-program.ts";

/** A host without a scheme, as `curl`, `ssh` and `git clone` take it. */
const HOST = /^(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z]{2,}\.?)(?=[:/?#]|$)/i;

/** Returns accesses for the addresses in the words of a program that may connect to them. Rules about fetching and about hosts limit them. */
export function namedAddresses(name: string, words: readonly Word[]): GatedAccess[] {
  if (name === "git" && !words.some(({ text }) => CONNECTING.test(text))) return [];
  const takesHosts = name === "git" || name === "rsync" || NETWORK_PROGRAMS.has(name);
  const addresses = words.flatMap(({ text }) => {
    const [, host] = (takesHosts && HOST.exec(text)) || [];
    return [...(text.match(/\b\w+:\/\/[^\s"'<>|]+/g) ?? []), ...(host === undefined ? [] : [`https://${host}/`])];
  });
  return addresses.flatMap((address) => {
    const url = URL.parse(address.replace(/^\w+:/, "https:"));
    if (!url) return [];
    const resources = ["https:", "http:"].map((protocol) => resourceOf({ protocol, host: url.host, pathname: url.pathname }));
    const [host = ""] = resources.map((each) => each.split("/")[2] ?? "");
    return [{ action: "network", resource: host }, ...resources.map((resource) => ({ action: "fetch", resource }))].map((access) => ({
      ...access,
      suspected: true as const,
    }));
  });
}

/** Subcommands of git that connect to the addresses in their words. */
const CONNECTING = /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/;
