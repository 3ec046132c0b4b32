import path from "node:path";

/** Where a plugin comes from. `name`: that of the plugin in a marketplace. `ref`: a branch, a tag or a commit. `version`: a version or a tag of npm. */
export type PluginSource =
  | { kind: "folder"; folder: string }
  | { kind: "git"; address: string; ref?: string | undefined }
  | { kind: "npm"; name: string; version?: string | undefined }
  | { kind: "marketplace"; name: string; market: Marketplace };

/** A folder or a repository with a list of plugins. */
export type Marketplace = { kind: "folder"; folder: string } | { kind: "git"; address: string; ref?: string | undefined };

const NPM = /^(?:npm:)?((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)(?:@([A-Za-z0-9^~][A-Za-z0-9.+^~-]*))?$/;
const LISTED = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)@(.+)$/s;
const GITHUB = /^github:([A-Za-z0-9][\w.-]*)\/([A-Za-z0-9][\w.-]*)$/;
/** `git@example.com:team/plugin.git` */
const SSH = /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*:(?![-/]{0,1}-)[\w./~-]+$/;
const REF = /^[A-Za-z0-9][\w./-]*$/;
const GIT_PROTOCOLS = new Set(["https:", "http:", "ssh:", "file:"]);

/**
 * Reads a source: an absolute folder, the address of a git repository with an optional `#ref`, the name of an npm package with an optional
 * `@version`, or a plugin of a marketplace, which is a name, `@`, and a folder or a repository. Nothing in it can become an option of git, ssh or
 * npm.
 */
export function parsePluginSource(text: string): PluginSource | { problem: string } {
  const [, listed, place] = LISTED.exec(text) ?? [];
  if (listed !== undefined && place !== undefined && isMarketplace(place)) {
    const market = parsePluginSource(place);
    if ("problem" in market) return market;
    if (market.kind === "folder" || market.kind === "git") return { kind: "marketplace", name: listed, market };
  }
  // A control character could hide a part of the source from the user.
  if (/\p{Cc}|\p{Cf}|\s/u.test(text) && !path.isAbsolute(text))
    return { problem: `The source ${JSON.stringify(text)} contains white space or invisible characters.` };
  if (text === "" || text.startsWith("-")) return { problem: `${JSON.stringify(text)} is an option, not a source. ${EXPECTED}` };
  if (path.isAbsolute(text)) return { kind: "folder", folder: path.normalize(text) };
  const [address, ref] = splitRef(text);
  if (ref !== undefined && (!REF.test(ref) || ref.includes("..")))
    return { problem: `${JSON.stringify(ref)} is not a branch, a tag or a commit.` };
  const github = GITHUB.exec(address);
  if (github) return { kind: "git", address: `https://github.com/${github[1]}/${github[2]}.git`, ref };
  if (SSH.test(address)) return { kind: "git", address, ref };
  if (/^[a-z+]+:\/\//.test(address)) return gitAddress(address.replace(/^git\+/, ""), ref);
  const npm = ref === undefined ? NPM.exec(text) : null;
  if (npm) return { kind: "npm", name: npm[1] ?? "", version: npm[2] };
  return { problem: `${JSON.stringify(text)} is not a source. ${EXPECTED}` };
}

/** A version of npm and the host of an ssh address are no places of a marketplace. */
const isMarketplace = (place: string): boolean =>
  path.isAbsolute(place) || place.startsWith("github:") || /^[a-z+]+:\/\//.test(place) || SSH.test(splitRef(place)[0]);

const EXPECTED =
  "Name a folder (./my-plugin), a git address (https://example.com/plugin.git#v1, git@example.com:plugin.git, github:owner/name) an npm package (my-plugin@1.2.0), or a plugin of a marketplace (my-plugin@github:owner/name).";

function splitRef(text: string): [string, string | undefined] {
  const at = text.indexOf("#");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function gitAddress(address: string, ref: string | undefined): PluginSource | { problem: string } {
  const url = URL.parse(address);
  if (!url || !GIT_PROTOCOLS.has(url.protocol))
    return { problem: `${address} has a protocol that plugins may not use. Use https, ssh or file.` };
  if (url.password !== "") return { problem: "The address contains a password. Let git's credential helper provide it." };
  const host = decodeURIComponent(url.hostname);
  const isHost = url.protocol === "file:" ? host === "" : /^[A-Za-z0-9[]/.test(host) && /^(?:[A-Za-z0-9][\w.-]*)?$/.test(url.username);
  if (!isHost || /^\/*-/.test(decoded(url.pathname)) || url.search !== "")
    return { problem: `${address} is not an address of a git repository: its host, user or path would be read as an option.` };
  if (url.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
    return { problem: `${address} is not encrypted. Use https.` };
  return { kind: "git", address, ref };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "-"; // no path has a broken escape
  }
}

/** The source as users write it. */
export function sourceText(source: PluginSource): string {
  switch (source.kind) {
    case "folder":
      return source.folder;
    case "git":
      return source.ref === undefined ? source.address : `${source.address}#${source.ref}`;
    case "npm":
      return source.version === undefined ? `npm:${source.name}` : `npm:${source.name}@${source.version}`;
    case "marketplace":
      return `${source.name}@${sourceText(source.market)}`;
  }
}

/** Whether two sources are the same place. Another version or branch of it is an update. */
export function isSameSource(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  return a !== undefined && a === b;
}

function addressOf(text: string): string | undefined {
  const source = parsePluginSource(text);
  return "problem" in source ? undefined : sourceAddress(source);
}

function sourceAddress(source: PluginSource): string {
  switch (source.kind) {
    case "folder":
      return `folder ${source.folder}`;
    case "git":
      return `git ${source.address}`;
    case "npm":
      return `npm ${source.name}`;
    case "marketplace":
      return `${source.name} in ${sourceAddress(source.market)}`;
  }
}
