import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { Instruction, Instructions } from "../session/turn/system-prompt.ts";
import { configuredInstructionFiles } from "./configured-instructions.ts";
import type { Reader, Readers } from "./read-cached.ts";

const MAX_CHARACTERS = 40_000;
const MAX_RULES = 50;

/** What instruction files say in a mode: the person's own, and, where the workspace is trusted, those of the project. */
export async function instructionsFor(
  { config, home, workspace, trusted, mode }: { config: string; home: string; workspace: string; trusted: boolean; mode: string },
  { own: read, project: readProject }: Readers,
): Promise<Instructions> {
  const own = await Promise.all([
    one(read, path.join(config, "AGENTS.md"), "AGENTS.md of the person"),
    rules(read, path.join(config, `rules-${mode}`), `rules-${mode}`),
    rules(read, path.join(config, "rules"), "rules"),
    ...OTHERS.map((name) => one(read, path.join(home, name), `~/${name}`)),
    ...[`.roo/rules-${mode}`, ".roo/rules", ".kilocode/rules"].map((folder) => rules(read, path.join(home, folder), `~/${folder}`)),
  ]);
  if (!trusted) return { files: capped(once(own.flat())), nested: [] };
  const at = (...parts: string[]) => path.join(workspace, ...parts);
  const project = await Promise.all([
    ...RULES.map((folder) => rules(readProject, at(`${folder}-${mode}`), `${folder}-${mode}`)),
    ...["AGENTS.md", "AGENT.md", "CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md"].map((name) =>
      one(readProject, at(name), name, workspace),
    ),
    ...RULES.map((folder) => rules(readProject, at(folder), folder)),
    rules(readProject, at(".clinerules"), ".clinerules", "workflows"),
    ...[`.roorules-${mode}`, ".roorules", ".clinerules"].map((name) => one(readProject, at(name), name)),
    ...(await configuredInstructionFiles(workspace, readProject)).map((name) => one(readProject, at(name), name, workspace)),
  ]);
  const files = once([...own.flat(), ...project.flat().map((each) => ({ ...each, project: true }))]);
  return { files: capped(files), nested: await nestedIn(workspace) };
}

/** The same text in two files counts once. */
const once = (found: readonly Instruction[]): Instruction[] =>
  found.filter(({ text }, i) => found.findIndex((other) => other.text === text) === i);

/** What a person has told other agents for all their work. */
const OTHERS = [".claude/CLAUDE.md", ".codex/AGENTS.md", ".config/opencode/AGENTS.md"];

/** Folders of rules; those for one mode have its slug behind their name and come first. */
const RULES = [".baton/rules", ".roo/rules", ".kilocode/rules"];

/** `root`: files that it names are followed as far as they lie below this folder; else below its own. */
async function one(read: Reader, file: string, origin: string, root = path.dirname(file)): Promise<Instruction[]> {
  const text = await read(file);
  return text ? inlineImports({ file, origin, text, project: false }, root, read) : [];
}

/** `but`: a folder in it that holds something else, such as slash commands. */
async function rules(read: Reader, folder: string, origin: string, but?: string): Promise<Instruction[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []); // a folder that is not there holds no rules
  const files = found
    .filter((each) => each.isFile() && /\.(?:md|mdc|txt)$/.test(each.name))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => but === undefined || !file.startsWith(path.join(folder, but) + path.sep))
    .toSorted()
    .slice(0, MAX_RULES);
  const texts = await Promise.all(files.map((file) => one(read, file, path.join(origin, path.relative(folder, file)))));
  return texts.flat();
}

/** As many as fit; what does not fit is named, so that it can be read. */
function capped(files: readonly Instruction[]): Instruction[] {
  let room = MAX_CHARACTERS;
  return files.map((each) => {
    room -= each.text.length;
    return room >= 0 ? each : { ...each, text: "(left out, as there is too much; read the file when it matters)" };
  });
}

const MAX_FOLDERS = 300;
const DEPTH = 3;
const UNREAD = new Set(["node_modules", ".git", "dist", "build", "target", "vendor", ".venv"]);

/** Instruction files of folders below, which hold for work in these folders. */
async function nestedIn(workspace: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [workspace];
  let looked = 0;
  for (let depth = 0; depth < DEPTH && folders.length > 0; depth++) {
    const entries = await Promise.all(
      folders.slice(0, MAX_FOLDERS - looked).map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])),
    );
    looked += entries.length;
    const below = entries.flat().filter((each) => each.isDirectory() && !UNREAD.has(each.name) && !each.name.startsWith("."));
    if (depth > 0)
      found.push(
        ...entries
          .flat()
          .filter((each) => each.isFile() && /^(?:AGENTS|CLAUDE)\.md$/.test(each.name))
          .map((each) => path.relative(workspace, path.join(each.parentPath, each.name))),
      );
    folders = below.map((each) => path.join(each.parentPath, each.name));
  }
  return found.toSorted().slice(0, 30);
}

const MAX_DEPTH = 5;
const MAX_FILES = 20;

/** `@docs/style.md` at the start of a word, outside of code; `@someone` and addresses name no file with an ending. */
const NAMED = /(?<=^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+\.(?:md|mdc|txt))(?=$|[\s,;:)])/gm;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/**
 * An instruction file and those that it names as `@path`, relative to itself, as Claude Code reads them. What lies outside
 * of `root`, a real path, is not followed.
 */
async function inlineImports(first: Instruction & { file: string }, root: string, read: Reader): Promise<Instruction[]> {
  const found: Instruction[] = [];
  const seen = new Set([first.file]);
  const follow = async ({ file, ...instruction }: Instruction & { file: string }, depth: number): Promise<void> => {
    found.push(instruction);
    if (depth >= MAX_DEPTH) return;
    for (const named of namesIn(instruction.text)) {
      const target = await within(root, path.resolve(path.dirname(file), named));
      if (target === undefined || seen.has(target) || found.length >= MAX_FILES) continue;
      seen.add(target);
      const text = await read(target);
      if (text) await follow({ file: target, origin: `${instruction.origin} → ${named}`, text, project: instruction.project }, depth + 1);
    }
  };
  await follow(first, 0);
  return found;
}

const namesIn = (text: string): string[] => Array.from(text.replaceAll(CODE, " ").matchAll(NAMED), ([, name = ""]) => name);

async function within(root: string, file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined); // a file that is not there is not named
  return real?.startsWith(root + path.sep) ? real : undefined;
}
