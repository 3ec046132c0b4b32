import ipaddr from "ipaddr.js";
import type { GatedAccess } from "@baton/core/permission/judge";
import { attempt } from "../files/path-on-disk.ts";
import { wordSet } from "../tables/name-matcher.ts";
import type { Word } from "../words/word.ts";
import { NETWORK_PROGRAMS } from "./shell-program.ts";

/** More programs that take a host without a scheme. */
const TAKES_HOSTS = wordSet(
  "git rsync docker podman go ping dig host nslookup traceroute whois mysql mariadb psql redis-cli mongo mongosh rclone yt-dlp mosh grpcurl nmap wscat websocat ab wrk hey smbclient lftp logger pg_dump pg_restore mysqldump mongodump mongorestore mail swaks mysqladmin sendmail ssh-keyscan tracepath mtr openssl ldapsearch snmpwalk ntpdate rdate",
);
/** Subcommands of git that connect to the addresses in their words. */
const CONNECTING = /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/;

/** Returns a host, and an address of IPv6 also without brackets, and as the address of IPv4 that it stands for. */
function spellingsOf(host: string): string[] {
  const plain = host.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(plain) ? [...new Set([host, plain, ipaddr.process(plain).toString()])] : [host];
}

/** Returns accesses for the addresses in the words of a program that may connect to them. Rules about fetching and about hosts limit them. */
export function namedAddresses(name: string, words: readonly Word[]): GatedAccess[] {
  if (name === "git" && !words.some(({ text }) => CONNECTING.test(text))) return [];
  const texts = words.map(({ text }) => (attempt(() => decodeURIComponent(text)) ?? text).normalize("NFKC").replaceAll("\u3002", "."));
  const isNamed = NETWORK_PROGRAMS.has(name) || TAKES_HOSTS.has(name);
  const numbers = (text: string) =>
    text.split(/[\s@:,=]+/).filter((each) => isNamed && /^(0x[\da-f]*|\d+)(\.(0x[\da-f]*|\d+))*(\/|$)/i.test(each));
  const written = texts.flatMap((text) => text.match(/\b\w+:\/{1,3}\S+/g) ?? numbers(text));
  const plain = isNamed ? texts.flatMap((text) => /^[\w.-]+\.[a-z]{2,}(?::\d+)?\/\S*$/i.exec(text)?.[0] ?? []) : [];
  const pages = [...written, ...plain].flatMap((address) => URL.parse(address.replace(/^(\w+:\/*)?/, "https://")) ?? []);
  const hosts = [...(isNamed ? texts : written)]
    .flatMap((text) => text.toLowerCase().match(/[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu) ?? [])
    .flatMap((host) => [host, host.replace(/^-\w?/, "")]); // also behind a user or a flag
  const all = new Set([...hosts.map((host) => `${host}/`), ...pages.map((page) => page.hostname.replace(/\.$/, "") + page.pathname)]);
  const accesses = [...all].flatMap((page) => [
    ...spellingsOf(page.split("/")[0] ?? "").map((host) => `network ${host}`),
    `fetch https://${page}`,
    `fetch http://${page}`,
  ]);
  return [...new Set(accesses)].map((each) => ({ action: each.split(" ")[0] ?? "", resource: each.replace(/^\w+ /, ""), suspected: true }));
}
