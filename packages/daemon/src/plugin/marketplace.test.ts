import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchPlugin } from "./fetch/fetch-plugin.ts";
import { MARKETPLACE_FILE } from "./marketplace.ts";
import { parsePluginSource } from "./plugin-source.ts";
import { readPlugin } from "./read-plugin.ts";
import { listPluginFiles } from "./list-plugin-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "baton-market-"));
  mkdirSync(at("to"));
});
afterEach(() => rmSync(root, { recursive: true }));
const at = (...names: string[]) => path.join(root, ...names);

function write(folder: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(folder, name)), { recursive: true });
    writeFileSync(at(folder, name), text);
  }
  return at(folder);
}

/** Makes a folder a repository with one commit. Returns the commit. */
function commit(folder: string): string {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  return git("rev-parse", "HEAD").trim();
}

const kit = (folder = "."): Record<string, string> => ({
  [`${folder}/.claude-plugin/plugin.json`]: JSON.stringify({ name: "kit" }),
  [`${folder}/skills/review/SKILL.md`]: "---\ndescription: Reviews.\n---\nReview.\n",
});
const bare = (folder: string): Record<string, string> => ({ [`${folder}/extra/ship.md`]: "Ship it." });

/** Fetches a plugin as `baton plugins add` does, and reads its parts. */
async function add(name: string, market: string) {
  const source = parsePluginSource(`${name}@${market}`);
  if ("problem" in source) return source;
  const fetched = await fetchPlugin(source, at("to"), process.env);
  if ("problem" in fetched) return fetched;
  const survey = await listPluginFiles(at("to"));
  if ("problem" in survey) return survey;
  const parts = await readPlugin({ root: at("to"), data: at("data"), hash: "" }, survey.files);
  return "problem" in parts ? parts : { pinned: fetched.pinned, items: parts.items.map((item) => `${item.kind} ${item.name}`) };
}

type Entry = Record<string, unknown>;
const elsewhere = () => `file://${at("elsewhere")}`;

/** The source of a plugin in its entry, and the parts that it then has. `isElsewhere`: the commit is that of the other repository. */
const SOURCES: Record<string, { entry: () => Entry; metadata?: object; isElsewhere?: true; has: string }> = {
  "a folder": { entry: () => ({ source: "./plugins/kit" }), has: "skill kit:review" },
  "a plain name": { entry: () => ({ source: "kit" }), metadata: { pluginRoot: "./plugins" }, has: "skill kit:review" },
  "a repository": { entry: () => ({ source: { source: "url", url: elsewhere() } }), isElsewhere: true, has: "skill kit:review" },
  "a commit of a repository": {
    entry: () => ({
      source: {
        source: "url",
        url: elsewhere(),
        ref: "gone",
        sha: execFileSync("git", ["rev-parse", "HEAD"], { cwd: at("elsewhere"), encoding: "utf8" }).trim(),
      },
    }),
    isElsewhere: true,
    has: "skill kit:review",
  },
  "a folder of a repository": {
    entry: () => ({ source: { source: "git-subdir", url: elsewhere(), path: "packages/kit" } }),
    isElsewhere: true,
    has: "skill kit:review",
  },
  "a folder without a manifest": {
    entry: () => ({ source: "./plugins/bare", strict: false, commands: "./extra", description: "Ships." }),
    has: "command kit:ship",
  },
};
const cases = Object.entries(SOURCES).flatMap(([title, each]) => ["folder", "repository"].map((kind) => ({ title, kind, ...each })));

test.each(cases)("from a marketplace in a $kind: $title", async ({ kind, entry, metadata, isElsewhere, has }) => {
  write("elsewhere", { ...kit(), ...kit("packages/kit") });
  const other = commit(at("elsewhere"));
  const list = {
    name: "market",
    owner: { name: "x" },
    metadata,
    plugins: ["broken", { name: "other", source: 1 }, { name: "kit", ...entry() }],
  };
  const folder = write("market", { ...kit("plugins/kit"), ...bare("plugins/bare"), [MARKETPLACE_FILE]: JSON.stringify(list) });
  const own = kind === "repository" ? commit(folder) : "";
  expect(await add("kit", kind === "repository" ? `file://${folder}` : folder)).toEqual({
    pinned: isElsewhere ? other : own,
    items: [has],
  });
  expect(readdirSync(root).filter((name) => name.startsWith("to-"))).toEqual([]);
});

const BAD: Record<string, { entry?: Entry; name?: string; list?: unknown; says: RegExp }> = {
  "an unknown name": { name: "kat", says: /no plugin kat\. Its plugins are: kit\./ },
  "no list of plugins": { list: { name: "market" }, says: /invalid at plugins/ },
  "an unknown kind": { entry: { source: { source: "ftp", url: "x" } }, says: /invalid at source/ },
  "a path that climbs out": { entry: { source: "./../elsewhere" }, says: /not a folder of the marketplace/ },
  "a path that climbs out of the root": { entry: { source: "../../elsewhere" }, says: /not a folder of the marketplace/ },
  "an absolute path": { entry: { source: "/etc" }, says: /./ },
  "a link that leads out": { entry: { source: "./linked" }, says: /leads out/ },
  "a missing folder": { entry: { source: "./missing" }, says: /no folder/ },
  "a command as an address": { entry: { source: { source: "url", url: "ext::sh -c x" } }, says: /cannot be used/ },
  "an option as a branch": {
    entry: { source: { source: "url", url: "https://example.com/x", ref: "--upload-pack=x" } },
    says: /cannot be used/,
  },
  "a folder as an address": { entry: { source: { source: "url", url: "/etc" } }, says: /neither a repository nor a package/ },
  "another marketplace as an address": {
    entry: { source: { source: "url", url: "kit@/etc" } },
    says: /neither a repository nor a package/,
  },
  "a folder that climbs out of its repository": {
    entry: { source: { source: "git-subdir", url: "https://example.com/x", path: "../x" } },
    says: /not a folder of the repository/,
  },
  "another registry": { entry: { source: { source: "npm", package: "kit", registry: "https://example.com" } }, says: /names a registry/ },
  "a manifest over a link": { entry: { source: "./over" }, says: /is a link to/ },
};

test.each(Object.entries(BAD))(
  "%s is refused with a reason",
  async (_, { entry = { source: "./plugins/kit" }, name = "kit", list, says }) => {
    mkdirSync(at("elsewhere"));
    const market = list ?? { name: "market", plugins: [{ name: "kit", ...entry }] };
    write("market", { ...kit("plugins/kit"), ...bare("over"), [MARKETPLACE_FILE]: JSON.stringify(market) });
    symlinkSync(at("elsewhere"), at("market", "linked"));
    symlinkSync(at("elsewhere"), at("market", "over", ".claude-plugin"));
    expect(await add(name, at("market"))).toEqual({ problem: expect.stringMatching(says) as string });
    expect(readdirSync(at("elsewhere"))).toEqual([]);
  },
);

test("a marketplace that is added without a name is explained with the names of its plugins", async () => {
  write("market", { [MARKETPLACE_FILE]: JSON.stringify({ plugins: ["one", "two"].map((name) => ({ name, source: `./${name}` })) }) });
  const survey = await listPluginFiles(at("market"));
  const parts = await readPlugin({ root: at("market"), data: at("data"), hash: "" }, "files" in survey ? survey.files : []);
  expect(parts).toEqual({ problem: expect.stringContaining("Its plugins are: one, two.") as string });
  expect(existsSync(at("to", ".claude-plugin"))).toBe(false);
});
