import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { Instruction, Instructions } from "../session/turn/system-prompt.ts";
import { configuredInstructionFiles } from "./opencode-instruction-files.ts";
import type { CachedFileReader, InstructionReaders } from "./cached-file-reader.ts";

const MAX_CHARACTERS = 40_000;
const MAX_RULES = 50;

/** The folder from which a place was made, and a reader for its files. */
type SourceFolder = { folder: string; read: CachedFileReader };

/**
 * The instructions for a mode: the user's own and, in a trusted workspace, those of the project. In a place, local instruction files come
 * from its source, because git ignores them and a new worktree lacks them.
 */
export async function instructionsFor(
  { config, home, workspace, trusted, mode }: { config: string; home: string; workspace: string; trusted: boolean; mode: string },
  { own: read, project: readProject }: InstructionReaders,
  source: SourceFolder | undefined,
): Promise<Instructions> {
  const own = await Promise.all([
    one(read, path.join(config, "AGENTS.md"), "AGENTS.md of the user"),
    rules(read, path.join(config, `rules-${mode}`), `rules-${mode}`),
    rules(read, path.join(config, "rules"), "rules"),
    ...OTHERS.map((name) => one(read, path.join(home, name), `~/${name}`)),
    ...[`.roo/rules-${mode}`, ".roo/rules", ".kilocode/rules"].map((folder) => rules(read, path.join(home, folder), `~/${folder}`)),
  ]);
  if (!trusted) return { files: capped(withoutDuplicates(own.flat())), nested: [] };
  const at = (...parts: string[]) => path.join(workspace, ...parts);
  const project = await Promise.all([
    ...RULES.map((folder) => rules(readProject, at(`${folder}-${mode}`), `${folder}-${mode}`)),
    ...["AGENTS.md", "AGENT.md", "CLAUDE.md", ".claude/CLAUDE.md"].map((name) => one(readProject, at(name), name, workspace)),
    ...["AGENTS.local.md", "CLAUDE.local.md"].map(async (name) => {
      const found = await one(readProject, at(name), name, workspace);
      return found.length > 0 || !source ? found : one(source.read, path.join(source.folder, name), name, source.folder);
    }),
    ...RULES.map((folder) => rules(readProject, at(folder), folder)),
    rules(readProject, at(".clinerules"), ".clinerules", "workflows"),
    ...[`.roorules-${mode}`, ".roorules", ".clinerules"].map((name) => one(readProject, at(name), name)),
    ...(await configuredInstructionFiles(workspace, readProject)).map((name) => one(readProject, at(name), name, workspace)),
  ]);
  const files = withoutDuplicates([...own.flat(), ...project.flat().map((each) => ({ ...each, project: true }))]);
  return { files: capped(files), nested: await nestedIn(workspace) };
}

/** Drops files with the same text as an earlier one. */
const withoutDuplicates = (found: readonly Instruction[]): Instruction[] =>
  found.filter(({ text }, i) => found.findIndex((other) => other.text === text) === i);

/** The user's instructions for other agents. */
const OTHERS = [".claude/CLAUDE.md", ".codex/AGENTS.md", ".config/opencode/AGENTS.md"];

/** Folders of rules. Rules for one mode are in a folder with its slug as a suffix, and come first. */
const RULES = [".baton/rules", ".roo/rules", ".kilocode/rules"];

/** Reads an instruction file. `root`: imports are followed within this folder. Its own folder by default. */
async function one(read: CachedFileReader, file: string, origin: string, root = path.dirname(file)): Promise<Instruction[]> {
  const text = await read(file);
  return text ? inlineImports({ file, origin, text, project: false }, root, read) : [];
}

/** Reads a folder of rules. `but`: a folder in it with other content, such as slash commands. */
async function rules(read: CachedFileReader, folder: string, origin: string, but?: string): Promise<Instruction[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []); // a missing folder has no rules
  const files = found
    .filter((each) => each.isFile() && /\.(?:md|mdc|txt)$/.test(each.name))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => but === undefined || !file.startsWith(path.join(folder, but) + path.sep))
    .toSorted()
    .slice(0, MAX_RULES);
  const texts = await Promise.all(files.map((file) => one(read, file, path.join(origin, path.relative(folder, file)))));
  return texts.flat();
}

/** Drops the text of files that do not fit, but names them, so that the agent can read them. */
function capped(files: readonly Instruction[]): Instruction[] {
  let room = MAX_CHARACTERS;
  return files.map((each) => {
    room -= each.text.length;
    return room >= 0 ? each : { ...each, text: "(left out because it is too long; read the file if it matters)" };
  });
}

const MAX_FOLDERS = 300;
const DEPTH = 3;
const SKIPPED_FOLDERS = new Set(["node_modules", ".git", "dist", "build", "target", "vendor", ".venv"]);

/** Instruction files of subfolders. They apply to work in these folders. */
async function nestedIn(workspace: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [workspace];
  let looked = 0;
  for (let depth = 0; depth < DEPTH && folders.length > 0; depth++) {
    const entries = await Promise.all(
      folders.slice(0, MAX_FOLDERS - looked).map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])),
    );
    looked += entries.length;
    const below = entries.flat().filter((each) => each.isDirectory() && !SKIPPED_FOLDERS.has(each.name) && !each.name.startsWith("."));
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

/** `@docs/style.md` at the start of a word, outside of code. Names without a file extension, such as `@someone`, do not count. */
const IMPORT = /(?<=^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+\.(?:md|mdc|txt))(?=$|[\s,;:)])/gm;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/**
 * An instruction file and the files that it imports as `@path`, relative to itself, as in Claude Code. Files outside of `root`, a real path,
 * are not imported.
 */
async function inlineImports(first: Instruction & { file: string }, root: string, read: CachedFileReader): Promise<Instruction[]> {
  const found: Instruction[] = [];
  const seen = new Set([first.file]);
  const follow = async ({ file, ...instruction }: Instruction & { file: string }, depth: number): Promise<void> => {
    found.push(instruction);
    if (depth >= MAX_DEPTH) return;
    for (const named of importsIn(instruction.text)) {
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

const importsIn = (text: string): string[] => Array.from(text.replaceAll(CODE, " ").matchAll(IMPORT), ([, name = ""]) => name);

async function within(root: string, file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined); // the file does not exist
  return real?.startsWith(root + path.sep) ? real : undefined;
}
