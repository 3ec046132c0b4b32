import type { Mode } from "@baton/core/protocol/mode";
import { parseSlash } from "@baton/core/text/slash-command";
import type { PromptParts, PromptName } from "../session/turn/system-prompt.ts";
import { instructionsFor } from "./instructions.ts";
import { openLibrary, type SlashCommandInfo } from "./library.ts";
import { openCachedReader, type Reader } from "./read-cached.ts";
import path from "node:path";
import { fileURLToPath } from "node:url";

type Told = Pick<PromptParts, "instructions" | "skills" | "texts">;

/** What files tell agents in a workspace: instructions, skills, slash commands. */
export type Guidance = {
  library: (workspace: string) => ReturnType<typeof openLibrary>;
  /** Files of projects that were not read though they have the names for it. */
  leftOut: () => SkippedFile[];
  /** What Baton itself tells models. */
  text: ReturnType<typeof openPrompts>;
  /** For the system prompt of a mode; looked for anew when the last look is some seconds old. */
  told: (workspace: string, mode: Mode) => Promise<Told>;
  /** Whether there were skills when they were last looked for; `look` looks. */
  hasSkills: (workspace: string) => boolean;
  look: (workspace: string) => Promise<void>;
  commands: (workspace: string) => Promise<SlashCommandInfo[]>;
  /** A prompt that begins with the name of a slash command, as that command has it; any other as it is. */
  expand: (workspace: string, prompt: string) => Promise<string>;
};

const FRESH_MS = 3_000;
const MAX_KEPT = 200;

/** `config` is our config folder, `home` the person's, with the files of other agents; what a project says counts where `trusted` says so, but for files that are `strange`. */
export function openGuidance({
  config,
  home,
  trusted,
  now,
  strange,
}: {
  config: string;
  home: string;
  trusted: (workspace: string) => boolean;
  now: () => number;
  strange: ProjectFileProblem;
}): Guidance {
  const read = openCachedReader();
  const projects = openProjectReaders(read, strange);
  const readers = (workspace: string) => ({ own: read, project: projects.of(workspace) });
  const text = openPrompts(config, read);
  const kept = new Map<string, { at: number; told: Promise<Told> }>();
  const library: Guidance["library"] = (workspace) =>
    openLibrary({ config, home, workspace, trusted: trusted(workspace) }, readers(workspace));

  const withSkills = new Set<string>();

  const skillsOf = async (workspace: string): Promise<Told["skills"]> => {
    const skills = await library(workspace).skills();
    if (skills.length > 0) withSkills.add(workspace);
    else withSkills.delete(workspace);
    return skills;
  };

  const look = async (workspace: string, mode: string): Promise<Told> => {
    const instructions = instructionsFor({ config, home, workspace, trusted: trusted(workspace), mode }, readers(workspace));
    const [skills, identity, how] = await Promise.all([skillsOf(workspace), text("identity"), text("how-to-work")]);
    return { instructions: await instructions, skills, texts: { identity, how } };
  };

  return {
    library,
    leftOut: projects.leftOut,
    text,
    told: (workspace, { slug }) => {
      const key = `${slug} ${String(trusted(workspace))} ${workspace}`;
      const before = kept.get(key);
      if (before && now() - before.at < FRESH_MS) return before.told;
      if (kept.size >= MAX_KEPT) kept.clear();
      const told = look(workspace, slug);
      kept.set(key, { at: now(), told });
      return told;
    },
    hasSkills: (workspace) => withSkills.has(workspace),
    look: async (workspace) => void (await skillsOf(workspace)),
    commands: (workspace) => library(workspace).commands(),
    expand: async (workspace, prompt) => {
      const slash = parseSlash(prompt);
      return (slash && (await library(workspace).command(slash.name, slash.args))) ?? prompt;
    },
  };
}

/** Reads them: the person's own in `prompts/` of the config folder before the one that came with Baton. */
function openPrompts(config: string, read: Reader, shipped = fileURLToPath(new URL("prompts", import.meta.url))) {
  return async (name: PromptName): Promise<string> =>
    (await read(path.join(config, "prompts", `${name}.md`))) ?? (await read(path.join(shipped, `${name}.md`))) ?? "";
}

/** Says why a file of a workspace is not to be read, in words for people. */
type ProjectFileProblem = (file: string, workspace: string) => string | undefined;

/** What of a project's files was left out, as clients show it. */
type SkippedFile = { file: string; line: number; column: number; severity: "warning"; message: string };

const MAX_SKIPPED_REPORTED = 200;

/** Readers for files of projects, which may be links to anywhere: what is strange is not read, but told of. */
function openProjectReaders(
  read: Reader,
  strange: ProjectFileProblem,
): { of: (workspace: string) => Reader; leftOut: () => SkippedFile[] } {
  const told = new Map<string, SkippedFile>();
  return {
    of: (workspace) => async (file) => {
      const why = strange(file, workspace);
      if (why === undefined) {
        told.delete(file);
        return read(file);
      }
      if (told.size >= MAX_SKIPPED_REPORTED) told.clear();
      told.set(file, { file, line: 1, column: 1, severity: "warning", message: `${why} It is left out.` });
      return undefined;
    },
    leftOut: () => [...told.values()],
  };
}
