import { omitUndefined } from "@baton/core/text/omit-undefined";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { oneLine } from "@baton/core/text/sanitize";
import type { SkillLibrary } from "../system/skill-library.ts";
import { splitFrontmatter } from "../mode/parse/frontmatter.ts";
import { findEntry, type MapNode } from "../mode/parse/syntax-node.ts";
import { parseYaml } from "../mode/parse/yaml.ts";
import type { InstructionReaders } from "./cached-file-reader.ts";
import { splitArguments } from "@baton/core/text/slash-command";

/** A slash command in lists. */
export type SlashCommandInfo = {
  name: string;
  description: string;
  argumentHint?: string;
  source: "global" | "project" | "builtin" | "plugin";
  /** The plugin that it is part of. */
  plugin?: string;
  filePath: string;
};

type Folder = { folder: string; source: Source };

/** The skills and commands of a plugin. `file`: the path of the file. */
export type LibraryPlugin = { name: string; skills: readonly NamedFile[]; commands: readonly NamedFile[] };
type NamedFile = { name: string; file: string };

/**
 * The skills and slash commands of the user and, in a trusted workspace, of the project. Those of the project come first, and those in
 * `builtin`, which ship with Baton, last. Those of plugins have the names `plugin:name`, so they replace nothing. The short name finds one too
 * if nothing else has it.
 */
export function openSkillLibrary(
  {
    config,
    home,
    workspace,
    trusted,
    builtin,
    plugins,
  }: { config: string; home: string; workspace: string; trusted: boolean; builtin: string; plugins: readonly LibraryPlugin[] },
  readers: InstructionReaders,
): SkillLibrary & { commands: () => Promise<SlashCommandInfo[]> } {
  const folders = (name: string, others: LibraryFolders): Folder[] => [
    ...(trusted
      ? [path.join(".baton", name), ...others.project].map((each) => ({ folder: path.join(workspace, each), source: "project" as const }))
      : []),
    { folder: path.join(config, name), source: "global" as const },
    ...[...others.project, ...others.home].map((each) => ({ folder: path.join(home, each), source: "global" as const })),
    { folder: path.join(builtin, name), source: "builtin" as const },
  ];

  const read = (filePath: string, source: Source) => readers[source === "project" ? "project" : "own"](filePath);
  const skills = async (): Promise<Skill[]> => {
    const found = await Promise.all(
      folders("skills", skillFolders).map(async ({ folder, source }) => {
        const names = (await entriesOf(folder)).filter((each) => each.isDirectory() || each.isSymbolicLink()).map((each) => each.name);
        return Promise.all(names.map((name) => skillIn(path.join(folder, name), name, source)));
      }),
    );
    const ofPlugins = await Promise.all(
      plugins.flatMap(({ name: plugin, skills: list }) =>
        list.map(async ({ name, file }) => {
          const skill = await skillIn(path.dirname(file), name, "plugin");
          return skill && { ...skill, name: `${plugin}:${name}`, plugin };
        }),
      ),
    );
    return unique([...found.flat(), ...ofPlugins].filter((skill) => skill !== undefined));
  };

  const skillIn = async (folder: string, name: string, source: Source): Promise<Skill | undefined> => {
    const filePath = path.join(folder, "SKILL.md");
    const text = await read(filePath, source);
    if (!text) return undefined;
    const header = await headerOf(text);
    return {
      ...factOf(header, (source === "plugin" ? undefined : textOf(header, "name")) ?? name, { source, filePath }),
      forModel: textOf(header, "disable-model-invocation") !== "true",
      forPerson: textOf(header, "user-invocable") !== "false",
    };
  };

  const commands = async (): Promise<SlashCommandInfo[]> => {
    const found = await Promise.all(
      folders("commands", commandFolders).map(async ({ folder, source }) =>
        Promise.all(
          (await findCommandFiles(folder)).map(async ({ name, filePath }) =>
            commandFactOf(await headerOf((await read(filePath, source)) ?? ""), name, { source, filePath }),
          ),
        ),
      ),
    );
    const ofPlugins = await Promise.all(
      plugins.flatMap(({ name: plugin, commands: list }) =>
        list.map(async ({ name, file: filePath }) => {
          const header = await headerOf((await read(filePath, "plugin")) ?? "");
          return { ...commandFactOf(header, `${plugin}:${name}`, { source: "plugin", filePath }), plugin };
        }),
      ),
    );
    const invocable = (await skills()).filter(({ forPerson }) => forPerson).map(({ forModel: _, forPerson: __, ...fact }) => fact);
    return unique([...found.flat(), ...ofPlugins, ...invocable]);
  };

  return {
    commands,
    async skills() {
      const modelSkills = (await skills()).filter(({ forModel }) => forModel);
      return modelSkills.map(({ name, description, plugin }) => ({
        name,
        description: description.slice(0, 300),
        ...omitUndefined({ plugin }),
      }));
    },
    async skill(name) {
      const skill = findNamed(
        (await skills()).filter((each) => each.forModel),
        name,
      );
      const text = skill && (await read(skill.filePath, skill.source));
      return skill && text ? { text: bodyOf(text).trim(), folder: path.dirname(skill.filePath) } : undefined;
    },
    async command(name, args) {
      const command = findNamed(await commands(), name);
      const text = command && (await read(command.filePath, command.source));
      if (!text) return undefined;
      const isSkill = path.basename(command.filePath) === "SKILL.md";
      const expanded = expandCommand(bodyOf(text), args, { numbered: !isSkill });
      if (isSkill) return `${expanded}\n\nThe files of this skill are in ${path.dirname(command.filePath)}.`;
      const mode = modeOf(await headerOf(text));
      return mode === undefined
        ? expanded
        : `${expanded}\n\nThis command was written for the mode ${mode}. If you are in another mode, say so before you begin.`;
    },
  };
}

type Source = SlashCommandInfo["source"];
/** `forModel`: the model sees it. `forPerson`: it is also a slash command. */
type Skill = SlashCommandInfo & { forModel: boolean; forPerson: boolean };

function factOf(header: MapNode | undefined, name: string, place: Pick<SlashCommandInfo, "source" | "filePath">): SlashCommandInfo {
  const hint = textOf(header, "argument-hint");
  return { name, description: textOf(header, "description") ?? "", ...omitUndefined({ argumentHint: hint }), ...place };
}

/** A command runs in the mode of its session. The mode that it was written for is part of its description. */
function commandFactOf(header: MapNode | undefined, name: string, place: Pick<SlashCommandInfo, "source" | "filePath">): SlashCommandInfo {
  const fact = factOf(header, name, place);
  const mode = modeOf(header);
  return mode === undefined ? fact : { ...fact, description: `${fact.description} (written for the mode ${mode})`.trim() };
}

/** The agent (opencode) or mode (Roo Code) that a command names. */
function modeOf(header: MapNode | undefined): string | undefined {
  const named = oneLine(textOf(header, "agent") ?? textOf(header, "mode") ?? "").slice(0, 60);
  return named === "" ? undefined : named;
}

const bodyOf = (text: string): string => splitFrontmatter(text)?.body.text ?? text;

const entriesOf = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1)); // a missing folder is empty

const unique = <T extends { name: string }>(found: readonly T[]): T[] =>
  found.filter(({ name }, i) => found.findIndex((other) => other.name === name) === i);

/** Finds an entry by its name, or the one entry of a plugin that has this name after the plugin's. */
function findNamed<T extends SlashCommandInfo>(list: readonly T[], name: string): T | undefined {
  const short = list.filter(({ plugin, name: whole }) => plugin !== undefined && whole === `${plugin}:${name}`);
  return list.find((each) => each.name === name) ?? (short.length === 1 ? short[0] : undefined);
}

/** A field of the header of a file. */
export async function headerText(text: string, key: string): Promise<string | undefined> {
  return textOf(await headerOf(text), key);
}

async function headerOf(text: string): Promise<MapNode | undefined> {
  const parts = splitFrontmatter(text);
  const node = parts && (await parseYaml(parts.header.text)).node;
  return node?.kind === "map" ? node : undefined;
}

function textOf(header: MapNode | undefined, key: string): string | undefined {
  const value = header && findEntry(header, key)?.value;
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}

/** Inserts the arguments into a slash command: `$ARGUMENTS` is all of them; with `numbered`, `$1` to `$9` are its words. */
export function expandCommand(text: string, args: string, { numbered = true } = {}): string {
  const words = splitArguments(args);
  const places = numbered ? /\$(ARGUMENTS\b|[1-9])/g : /\$(ARGUMENTS\b)/g;
  const takes = text.search(places) >= 0;
  const filled = text.trim().replaceAll(places, (_, name: string) => (name === "ARGUMENTS" ? args : (words[Number(name) - 1] ?? "")));
  const whole = takes || args === "" ? filled : `${filled}\n\n${args}`;
  return RUNS.test(text) ? `${whole}\n\n${RUN_FIRST}` : whole;
}

/** Other agents run these commands without asking before the model sees the text. In Baton the model runs them, under the rules. */
const RUNS = /(?<=^|\s)!`[^`\n]+`/m;
const RUN_FIRST = "First run the commands in !`...` above, and replace each by its output.";

/** The folders of other agents: in a project and in the home, or only in the home. */
type LibraryFolders = { project: readonly string[]; home: readonly string[] };

const skillFolders: LibraryFolders = { project: [".claude/skills", ".agents/skills"], home: [] };

const commandFolders: LibraryFolders = {
  project: [
    ".roo/commands",
    ".claude/commands",
    ".opencode/commands",
    ".opencode/command",
    ".kilo/commands",
    ".kilo/command",
    ".kilocode/workflows",
    ".clinerules/workflows",
  ],
  home: [".config/opencode/commands", ".config/opencode/command", ".codex/prompts"],
};

const MAX_FILES = 500;

/** The command files in a folder. The file name is the name of the command. If several files share it, their folders are added. */
async function findCommandFiles(folder: string): Promise<{ name: string; filePath: string }[]> {
  const all = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []); // a missing folder is empty
  const found = all
    .filter((each) => each.name.endsWith(".md") && !each.isDirectory())
    .map((each) => path.relative(folder, path.join(each.parentPath, each.name)).slice(0, -3).split(path.sep))
    .toSorted((a, b) => a.length - b.length || (a.join("/") < b.join("/") ? -1 : 1))
    .slice(0, MAX_FILES);
  const times = new Map<string, number>();
  for (const names of found) times.set(names.at(-1) ?? "", (times.get(names.at(-1) ?? "") ?? 0) + 1);
  return found.map((names) => ({
    name: times.get(names.at(-1) ?? "") === 1 ? (names.at(-1) ?? "") : names.join(":"),
    filePath: `${path.join(folder, ...names)}.md`,
  }));
}
