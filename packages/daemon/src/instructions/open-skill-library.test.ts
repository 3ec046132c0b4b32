import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSkillLibrary, type LibraryPlugin } from "./open-skill-library.ts";
import { openCachedReader } from "./cached-file-reader.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "baton-library-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  const whole = path.join(root, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

const library = ({ trusted = true, plugins = [] as LibraryPlugin[] } = {}) =>
  openSkillLibrary(
    {
      config: path.join(root, "config"),
      home: path.join(root, "home"),
      workspace: path.join(root, "work"),
      builtin: path.join(root, "builtin"),
      trusted,
      plugins,
    },
    { own: openCachedReader(), project: openCachedReader() },
  );
const names = async (options?: { trusted: boolean }) => (await library(options).commands()).map(({ name }) => name);

test("commands are found in the folders of other agents, and the project's come before the user's", async () => {
  for (const folder of [".roo/commands", ".claude/commands", ".opencode/commands", ".kilocode/workflows", ".clinerules/workflows"])
    write(`work/${folder}/of-${folder.slice(1, 4)}.md`, "x");
  for (const folder of [".config/opencode/commands", ".codex/prompts", ".claude/commands"]) write(`home/${folder}/mine.md`, folder);
  write("config/commands/mine.md", "the person's own");
  write("work/.claude/commands/mine.md", "the project's");
  expect(await names()).toEqual(["of-roo", "mine", "of-cla", "of-ope", "of-kil", "of-cli"]);
  expect(await library().command("mine", "")).toBe("the project's");
  expect(await names({ trusted: false })).toEqual(["mine"]);
  expect(await library({ trusted: false }).command("mine", "")).toBe("the person's own");
});

test("commands that ship with Baton come last, and a file of the same name replaces one", async () => {
  write("builtin/commands/review.md", "---\ndescription: Reviews\n---\nReview $ARGUMENTS.");
  write("builtin/commands/init.md", "Shipped.");
  write("config/commands/init.md", "The user's own.");
  expect(await library().commands()).toMatchObject([
    { name: "init", source: "global" },
    { name: "review", source: "builtin", description: "Reviews" },
  ]);
  expect(await library().command("init", "")).toBe("The user's own.");
  expect(await library().command("review", "#12")).toBe("Review #12.");
});

test("a command in a folder gets the folder's name as a prefix if several commands share its name", async () => {
  for (const file of ["test", "frontend/test", "backend/api/test", "frontend/component", "a/fix", "b/fix"])
    write(`work/.claude/commands/${file}.md`, file);
  write("work/.claude/commands/frontend/notes.txt", "no command");
  expect((await names()).toSorted()).toEqual(["a:fix", "b:fix", "backend:api:test", "component", "frontend:test", "test"]);
  expect(await library().command("frontend:test", "")).toBe("frontend/test");
});

test("a skill is a command too, unless a command has its name or it opts out, and a skill only for users is not shown to the model", async () => {
  const skill = (name: string, header: string) =>
    write(`work/.claude/skills/${name}/SKILL.md`, `---\n${header}\n---\nPrint $1 of $ARGUMENTS.\n`);
  skill("deploy", "description: Deploys\ndisable-model-invocation: true");
  skill("know", "description: Background\nuser-invocable: false");
  skill("test", "description: Never reached");
  write("work/.claude/commands/test.md", "The command.");
  expect(await names()).toEqual(["test", "deploy"]);
  expect((await library().skills()).map(({ name }) => name)).toEqual(["know", "test"]);
  expect(await library().skill("deploy")).toBeUndefined();
  expect(await library().command("test", "")).toBe("The command.");
  expect(await library().command("deploy", "a b")).toBe(
    `Print $1 of a b.\n\nThe files of this skill are in ${path.join(root, "work/.claude/skills/deploy")}.`,
  );
});

test("a command that names an agent or a mode changes none, and shows for which one it was written", async () => {
  write("work/.opencode/commands/draft.md", "---\ndescription: Drafts\nagent: plan\n---\nDraft $1.");
  write("work/.roo/commands/look.md", "---\nmode: ask\n---\nLook.");
  expect((await library().commands()).map(({ name, description }) => `${name}: ${description}`)).toEqual([
    "look: (written for the mode ask)",
    "draft: Drafts (written for the mode plan)",
  ]);
  expect(await library().command("draft", "it")).toMatch(/^Draft it\.\n\nThis command was written for the mode plan\./);
});
