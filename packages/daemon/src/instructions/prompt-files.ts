import type { Mode } from "@baton/core/protocol/mode";
import { parseSlash } from "@baton/core/text/slash-command";
import type { SystemPromptInput, PromptName } from "../session/turn/system-prompt.ts";
import { instructionsFor } from "./instructions.ts";
import { openSkillLibrary, type LibraryPlugin, type SlashCommandInfo } from "./open-skill-library.ts";
import type { SkillInfo } from "../system/skill-library.ts";
import { openCachedReader, type CachedFileReader } from "./cached-file-reader.ts";
import path from "node:path";
import { fileURLToPath } from "node:url";

type FileParts = Pick<SystemPromptInput, "instructions" | "skills" | "texts">;

/** The instructions, skills and slash commands in the files of a workspace. */
export type PromptFiles = {
  /** `mode`: without the plugins that are not used in it. */
  library: (workspace: string, mode?: string) => ReturnType<typeof openSkillLibrary>;
  /** The files of projects that were skipped although their names match. */
  leftOut: () => SkippedFile[];
  /** Baton's own prompts for models. */
  text: ReturnType<typeof openPrompts>;
  /** The parts of a mode's system prompt. Files are read again if the cached parts are a few seconds old. */
  forMode: (workspace: string, mode: Mode) => Promise<FileParts>;
  /** True if there were skills for a mode at the last search. `look` searches. */
  hasSkills: (workspace: string, mode: string) => boolean;
  look: (workspace: string) => Promise<void>;
  commands: (workspace: string) => Promise<SlashCommandInfo[]>;
  /** Expands a prompt that begins with a slash command. Returns any other prompt unchanged, and a problem if the command is not for this mode. */
  expand: (workspace: string, prompt: string, mode: string) => Promise<{ text: string } | { problem: string }>;
};

/** The folder of the prompts that ship with Baton. */
const SHIPPED = fileURLToPath(new URL("prompts", import.meta.url));

const FRESH_MS = 3_000;
const MAX_KEPT = 200;

/** `config`: Baton's config folder. `home`: the user's home with the files of other agents. A project's files are only read if `trusted` returns true and `strange` finds no problem. `sourceOf` returns the folder from which a place was made, and any other folder itself. `plugins`: the plugins that are active in a workspace. `unusedIn`: the names of those that are not used in a mode. */
export function openPromptFiles({
  config,
  home,
  trusted,
  now,
  strange,
  sourceOf,
  plugins,
  unusedIn,
}: {
  config: string;
  home: string;
  trusted: (workspace: string) => boolean;
  now: () => number;
  strange: ProjectFileProblem;
  sourceOf: (workspace: string) => string;
  plugins: (workspace: string) => readonly LibraryPlugin[];
  unusedIn: (workspace: string, mode: string) => ReadonlySet<string>;
}): PromptFiles {
  const read = openCachedReader();
  const projects = openProjectReaders(read, strange);
  const readers = (workspace: string) => ({ own: read, project: projects.of(workspace) });
  const text = openPrompts(config, read);
  const cache = new Map<string, { at: number; parts: Promise<FileParts> }>();
  const library: PromptFiles["library"] = (workspace, mode) => {
    const unused = mode === undefined ? undefined : unusedIn(workspace, mode);
    const used = plugins(workspace).filter(({ name }) => !unused?.has(name));
    return openSkillLibrary({ config, home, workspace, trusted: trusted(workspace), builtin: SHIPPED, plugins: used }, readers(workspace));
  };

  /** The plugins that have skills in a workspace. Undefined stands for skills that are in no plugin. */
  const withSkills = new Map<string, ReadonlySet<string | undefined>>();

  const skillsOf = async (workspace: string): Promise<SkillInfo[]> => {
    const skills = await library(workspace).skills();
    withSkills.set(workspace, new Set(skills.map(({ plugin }) => plugin)));
    return skills;
  };
  const isUsedIn = (workspace: string, mode: string) => {
    const unused = unusedIn(workspace, mode);
    return (plugin: string | undefined) => plugin === undefined || !unused.has(plugin);
  };

  const look = async (workspace: string, mode: string): Promise<FileParts> => {
    const folder = sourceOf(workspace);
    const source = folder === workspace ? undefined : { folder, read: projects.of(folder) };
    const instructions = instructionsFor({ config, home, workspace, trusted: trusted(workspace), mode }, readers(workspace), source);
    const [skills, identity, how] = await Promise.all([skillsOf(workspace), text("identity"), text("how-to-work")]);
    const isUsed = isUsedIn(workspace, mode);
    return { instructions: await instructions, skills: skills.filter(({ plugin }) => isUsed(plugin)), texts: { identity, how } };
  };

  return {
    library,
    leftOut: projects.leftOut,
    text,
    forMode: (workspace, { slug }) => {
      const key = `${slug} ${String(trusted(workspace))} ${workspace}`;
      const before = cache.get(key);
      if (before && now() - before.at < FRESH_MS) return before.parts;
      if (cache.size >= MAX_KEPT) cache.clear();
      const parts = look(workspace, slug);
      cache.set(key, { at: now(), parts });
      return parts;
    },
    hasSkills: (workspace, mode) => [...(withSkills.get(workspace) ?? [])].some(isUsedIn(workspace, mode)),
    look: async (workspace) => void (await skillsOf(workspace)),
    commands: (workspace) => library(workspace).commands(),
    expand: async (workspace, prompt, mode) => {
      const slash = parseSlash(prompt);
      if (!slash) return { text: prompt };
      const text = await library(workspace, mode).command(slash.name, slash.args);
      if (text !== undefined) return { text };
      const isOfOtherMode = (await library(workspace).command(slash.name, slash.args)) !== undefined;
      return isOfOtherMode
        ? {
            problem: `/${slash.name} belongs to a plugin that is not used in the mode ${mode}. Switch to a mode that uses it. \`baton plugins\` lists them.`,
          }
        : { text: prompt };
    },
  };
}

/** Reads Baton's prompts. A file in `prompts/` of the config folder replaces the one that ships with Baton. */
function openPrompts(config: string, read: CachedFileReader) {
  return async (name: PromptName): Promise<string> =>
    (await read(path.join(config, "prompts", `${name}.md`))) ?? (await read(path.join(SHIPPED, `${name}.md`))) ?? "";
}

/** Explains why a file of a workspace must not be read. Undefined if it may be read. */
type ProjectFileProblem = (file: string, workspace: string) => string | undefined;

/** A skipped file of a project, as clients show it. */
type SkippedFile = { file: string; line: number; column: number; severity: "warning"; message: string };

const MAX_SKIPPED_REPORTED = 200;

/** Readers for files of projects, which may be links to anywhere. Files with a problem are skipped and reported. */
function openProjectReaders(
  read: CachedFileReader,
  strange: ProjectFileProblem,
): { of: (workspace: string) => CachedFileReader; leftOut: () => SkippedFile[] } {
  const skipped = new Map<string, SkippedFile>();
  return {
    of: (workspace) => async (file) => {
      const why = strange(file, workspace);
      if (why === undefined) {
        skipped.delete(file);
        return read(file);
      }
      if (skipped.size >= MAX_SKIPPED_REPORTED) skipped.clear();
      skipped.set(file, { file, line: 1, column: 1, severity: "warning", message: `${why} Baton skips it.` });
      return undefined;
    },
    leftOut: () => [...skipped.values()],
  };
}
