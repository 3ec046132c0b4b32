import { hash } from "node:crypto";
import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import type { Actor } from "@baton/core/protocol/request";
import { filesToApprove } from "./files-to-approve.ts";
import { noEnvironment, type Environment, type FoundTool, type ToolEnvironment, type EnvironmentProblem } from "./environment.ts";
import { environmentQuestion, type CoveredTool, type EnvironmentQuestion } from "./environment-question.ts";
import { detectEnvironmentTools, readSmallFile } from "./detect-environment-tools.ts";
import { launcherFolder, projectPrograms } from "./project-programs.ts";
import { readDirenv } from "./read-direnv.ts";
import { readMise } from "./read-mise.ts";
import { readNvm } from "./read-nvm.ts";
import { readVenv } from "./read-venv.ts";
import type { RunEnvironmentProgram } from "./run-environment-program.ts";
import { safeVariables } from "./safe-env-variables.ts";

/** The choice of the user for a folder. `none`: no environment, and no question. */
type EnvironmentSetting = EnvironmentTool | "none" | readonly EnvironmentTool[];

/** A tool of a folder as the user sees it. */
type EnvironmentStatus = "used" | "off" | "not chosen" | "waits for approval" | "refused" | "not installed" | "failed";

/** The environment of a folder for clients. */
type EnvironmentReport = {
  /** `hash`: of `files`, which the user approves. Null if nothing needs an approval. */
  tools: readonly { tool: EnvironmentTool; source: string; status: EnvironmentStatus; hash: string | null; files: readonly string[] }[];
  variables: readonly string[];
  problems: readonly string[];
};

/** The environments of the folders in which commands run. */
export type Environments = {
  /** Reads the environment of a folder if its files have changed. Call it before a step. It takes at most some seconds. */
  prepare: (folder: string) => Promise<void>;
  /** Whether the user chose an environment here that this daemon has not read yet. */
  isUnread: (folder: string) => boolean;
  /** The environment that was read last. */
  now: (folder: string) => Environment;
  /** The questions that the user must answer before the environment can be used. */
  questions: (folder: string) => readonly EnvironmentQuestion[];
  /** The questions to open now. An offer is returned only once for each folder, a question about changed files whenever it is open. */
  ask: (folder: string) => readonly EnvironmentQuestion[];
  settle: (folder: string, answer: Pick<EnvironmentQuestion, "uses" | "hashes">, approved: boolean, by: Actor) => Promise<void>;
  /** Stores the user's choice, and approves the files with these hashes. Undefined forgets the choice. */
  choose: (folder: string, setting: EnvironmentSetting | undefined, hashes: readonly string[], by: Actor) => Promise<void>;
  /** The sentences about problems that a session has not read yet. */
  news: (folder: string, sessionId: string) => readonly string[];
  report: (folder: string) => Promise<EnvironmentReport>;
};

type EnvironmentsOptions = {
  /** The folder whose settings, trust and approvals apply to a folder. */
  identity: (folder: string) => string;
  isTrusted: (folder: string) => boolean;
  setting: (identity: string) => EnvironmentSetting | undefined;
  save: (identity: string, setting: EnvironmentSetting | undefined) => Promise<void>;
  /** Whether the user approved files with this hash. Undefined: nobody has decided. */
  approval: (folder: string, hash: string) => boolean | undefined;
  approve: (folder: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
  /** Finds a program on the PATH of the daemon. */
  find: (program: string) => string | undefined;
  /** Runs programs in a folder. */
  runIn: (folder: string) => RunEnvironmentProgram;
  /** Folders of the user: home, that of nvm, the settings of direnv and mise. */
  folders: { home: string; nvm: string; direnv: string; mise: string };
  /** A private folder of the daemon. */
  scratch: string;
  /** Whether the platform has the shells that all of this needs. */
  works: boolean;
  /** Programs have appeared or gone, so commands must be judged again. */
  changed: (folder: string) => void;
};

type Known = { key: string; environment: Environment; failed: ReadonlySet<EnvironmentTool>; watched: readonly string[] };

const MAX_SESSIONS = 1_000;
/** The folder with launchers. */
const PROGRAMS = "programs";

export function openEnvironments(options: EnvironmentsOptions): Environments {
  const { identity, isTrusted, setting, save, approval, approve, find, runIn, folders, scratch, works, changed } = options;
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();
  const reported = new Map<string, Set<string>>();
  rmSync(path.join(scratch, PROGRAMS), { recursive: true, force: true }); // of an earlier daemon, whose commands have ended

  const chosenIn = (folder: string): readonly EnvironmentTool[] | undefined => {
    const chosen = setting(identity(folder));
    if (chosen === undefined) return undefined;
    return chosen === "none" ? [] : typeof chosen === "string" ? [chosen] : chosen;
  };
  const isInstalled = ({ tool }: FoundTool): boolean => {
    if (tool === "venv") return true;
    return tool === "nvm" ? statSync(folders.nvm, { throwIfNoEntry: false })?.isDirectory() === true : find(tool) !== undefined;
  };
  const toolsIn = (folder: string): FoundTool[] => (works ? detectEnvironmentTools(folder) : []);
  const covered = (found: FoundTool, folder: string): CoveredTool => ({ ...found, coverage: filesToApprove(found, folder) });
  const decision = ({ coverage }: CoveredTool, folder: string) => (coverage ? approval(folder, coverage.hash) : true);
  const usable = (folder: string): CoveredTool[] => {
    const chosen = chosenIn(folder);
    if (!chosen || chosen.length === 0 || !isTrusted(folder)) return [];
    return toolsIn(folder)
      .filter((found) => chosen.includes(found.tool) && isInstalled(found))
      .map((found) => covered(found, folder))
      .filter((tool) => decision(tool, folder) === true);
  };

  const read = async (found: CoveredTool, folder: string): Promise<ToolEnvironment | EnvironmentProblem> => {
    const { source, coverage } = found;
    const approved = coverage?.files.map(({ name }) => name) ?? [];
    switch (found.tool) {
      case "venv":
        return readVenv(folder, source);
      case "nvm":
        return readNvm(folder, source, folders.nvm);
      case "mise":
        return readMise(folder, find("mise") ?? "mise", runIn(folder), { approved, visible: [folders.mise] });
      case "direnv": {
        const result = await readDirenv(folder, find("direnv") ?? "direnv", runIn(folder), { scratch, config: folders.direnv });
        return "problem" in result ? result : (unnamedFile(result, folder, approved) ?? result);
      }
    }
  };
  /** The result of a tool whose files changed while they were read is not what the user approved. */
  const readUnchanged = async (found: CoveredTool, folder: string): Promise<ToolEnvironment | EnvironmentProblem> => {
    const result = await read(found, folder);
    return filesToApprove(found, folder)?.hash === found.coverage?.hash
      ? result
      : { problem: `${found.source} changed while ${found.tool} read it.` };
  };

  const readAll = async (folder: string): Promise<void> => {
    const tools = usable(folder);
    const before = known.get(folder);
    const key = keyOf(tools, folder, before?.watched ?? []);
    if (before?.key === key) return;
    const results: { tool: CoveredTool; result: ToolEnvironment | EnvironmentProblem }[] = [];
    for (const tool of tools) results.push({ tool, result: await readUnchanged(tool, folder).catch(asProblem(tool)) });
    const watched = results.flatMap(({ result }) => ("problem" in result ? [] : [...(result.watched ?? []), ...result.folders]));
    const failed = new Set(results.flatMap(({ tool, result }) => ("problem" in result ? [tool.tool] : [])));
    known.set(folder, { key: keyOf(tools, folder, watched), environment: combine(results, folder), failed, watched });
    if (!isSameMap(before?.environment.programs, known.get(folder)?.environment.programs)) changed(folder);
  };

  const combine = (
    results: readonly { tool: CoveredTool; result: ToolEnvironment | EnvironmentProblem }[],
    folder: string,
  ): Environment => {
    const given = results.flatMap(({ tool, result }) => ("problem" in result ? [] : [{ tool, result }]));
    const problems = results.flatMap(({ result }) => ("problem" in result ? [`${result.problem} Commands run without it.`] : []));
    const isOfProject = (each: string) => !isOfUser(each, folder, folders.home);
    const all = given.toReversed().flatMap(({ result }) => result.folders.map((each) => (isOfProject(each) ? each : realOf(each))));
    const programs = projectPrograms(all.filter(isOfProject));
    const launchers = launcherFolder(programs, path.join(scratch, PROGRAMS));
    const variables: Record<string, string> = {};
    for (const { tool, result } of given) {
      const { kept, dropped } = safeVariables(result.variables, isOfProject);
      Object.assign(variables, kept);
      if (dropped.length > 0)
        problems.push(
          `Commands do not get these variables of ${tool.tool}: ${dropped.slice(0, 10).join(", ")}. They are secrets, or make programs load something else.`,
        );
    }
    return {
      tools: given.map(({ tool: { tool, source } }) => ({ tool, source })),
      variables,
      folders: all.filter((each) => !isOfProject(each)),
      launchers,
      programs: new Map([...programs].map(([name, file]) => [name, nameIn(folder, file)])),
      problems,
    };
  };

  const prepare = (folder: string): Promise<void> => {
    const running = reading.get(folder);
    if (running) return running;
    const fail = (error: unknown) => {
      const problem = `The environment could not be read: ${error instanceof Error ? error.message : String(error)}. Commands run without it.`;
      known.set(folder, { key: "", environment: { ...noEnvironment, problems: [problem] }, failed: new Set(), watched: [] });
    };
    const work = readAll(folder)
      .catch(fail)
      .finally(() => reading.delete(folder));
    reading.set(folder, work);
    return work;
  };
  const now = (folder: string): Environment =>
    (isTrusted(folder) && (chosenIn(folder)?.length ?? 0) > 0 ? known.get(folder)?.environment : undefined) ?? noEnvironment;

  const questions = (folder: string): EnvironmentQuestion[] => {
    if (!isTrusted(folder)) return [];
    const chosen = chosenIn(folder);
    if (chosen?.length === 0) return [];
    const found = toolsIn(folder).filter((each) => isInstalled(each) && (chosen?.includes(each.tool) ?? true));
    const open = found
      .map((each) => covered(each, folder))
      .filter((tool) => (chosen ? decision(tool, folder) === undefined : decision(tool, folder) !== false));
    return open.length === 0 ? [] : [environmentQuestion(identity(folder), open, chosen !== undefined)];
  };
  /** Notes on the disk which tools were offered for a folder, because sessions come and go. False if these were offered before. */
  const offerFile = (folder: string): string => path.join(scratch, "offers", hash("sha256", identity(folder)).slice(0, 32));
  const isFirst = (folder: string, { uses }: EnvironmentQuestion): boolean => {
    const file = offerFile(folder);
    const offered = readSmallFile(file)?.split(" ") ?? [];
    if (uses.every((tool) => offered.includes(tool))) return false;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, uses.join(" "));
    return true;
  };

  return {
    prepare,
    isUnread: (folder) => !known.has(folder) && isTrusted(folder) && (chosenIn(folder)?.length ?? 0) > 0,
    now,
    questions,
    ask: (folder) => questions(folder).filter((question) => question.isAgain || isFirst(folder, question)),
    settle: async (folder, { uses, hashes }, approved, by) => {
      if (hashes.length > 0) await approve(folder, hashes, approved, by);
      if (chosenIn(folder) === undefined) await save(identity(folder), approved ? uses : "none");
      await prepare(folder);
    },
    choose: async (folder, setting, hashes, by) => {
      if (hashes.length > 0) await approve(folder, hashes, true, by);
      await save(identity(folder), setting);
      if (setting === undefined) rmSync(offerFile(folder), { force: true });
      known.delete(folder); // the user may have corrected something else than a file
      await prepare(folder);
    },
    news: (folder, sessionId) => {
      const read = reported.get(sessionId) ?? new Set();
      const fresh = now(folder).problems.filter((problem) => !read.has(problem));
      reported.set(sessionId, new Set([...read, ...fresh]));
      const [oldest] = reported.keys();
      if (reported.size > MAX_SESSIONS && oldest !== undefined) reported.delete(oldest);
      return fresh;
    },
    report: async (folder) => {
      await prepare(folder);
      const chosen = chosenIn(folder);
      const environment = now(folder);
      const status = (found: FoundTool): EnvironmentStatus => {
        if (!isInstalled(found)) return "not installed";
        if (chosen === undefined) return "not chosen";
        if (!chosen.includes(found.tool)) return "off";
        if (known.get(folder)?.failed.has(found.tool)) return "failed";
        const decided = decision(covered(found, folder), folder);
        if (decided === false) return "refused";
        return decided && isTrusted(folder) ? "used" : "waits for approval";
      };
      return {
        tools: toolsIn(folder).map((found) => {
          const coverage = filesToApprove(found, folder);
          return { ...found, status: status(found), hash: coverage?.hash ?? null, files: coverage?.files.map(({ name }) => name) ?? [] };
        }),
        variables: Object.keys(environment.variables).toSorted(),
        problems: environment.problems,
      };
    },
  };
}

/** A failure outside of the tool, such as a full disk or invalid settings of the user. */
const asProblem =
  ({ tool }: CoveredTool) =>
  (error: unknown): EnvironmentProblem => ({
    problem: `${tool} gave no environment: ${error instanceof Error ? error.message : String(error)}.`,
  });

/** direnv read a file of the folder that its text does not name, so the user did not see it. */
function unnamedFile({ watched = [] }: ToolEnvironment, folder: string, covered: readonly string[]): EnvironmentProblem | undefined {
  const names = watched.map((file) => path.relative(folder, file)).filter((name) => !name.startsWith("..") && !path.isAbsolute(name));
  const unseen = names.find((name) => !covered.includes(name) && statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile());
  return unseen === undefined
    ? undefined
    : {
        problem: `.envrc reads ${unseen} without naming it, so you have not approved it. Add \`watch_file ${unseen}\` to .envrc, and approve it again.`,
      };
}

/** Changes when a file changes on which an environment depends. */
function keyOf(tools: readonly CoveredTool[], folder: string, watched: readonly string[]): string {
  const files = [...tools.map(({ source }) => path.join(folder, source)), ...watched];
  return JSON.stringify([tools.map(({ tool, source, coverage }) => [tool, source, coverage?.hash]), [...new Set(files)].map(stampOf)]);
}

function stampOf(file: string): unknown {
  const stats = statSync(file, { throwIfNoEntry: false });
  return [file, stats?.mtimeMs, stats?.size];
}

/** Folders where the system and the user install programs. Agents cannot write them without a question. */
const SYSTEM = /^\/(etc|usr|bin|sbin|opt|nix|gnu|snap|home\/linuxbrew|Library|System|Applications)\//;

/**
 * Hidden folders of the home with programs, such as `.cargo/bin`. Commands in the sandbox can read them, so other folders such as `.ssh` do not
 * count, whatever a tool prints.
 */
const PROGRAMS_OF_HOME = /^\.(?!\.\/)(?:(?:nvm|asdf|local\/share\/(?:mise|uv|fnm|virtualenv|pipx|pnpm))\/|.*\/(?:bin|sbin|shims|libexec)$)/;

function isOfUser(folder: string, workspace: string, home: string): boolean {
  const real = realOf(folder);
  const isIn = (parent: string, file = real) => `${file}/`.startsWith(`${parent}/`);
  if (isIn(workspace) || isIn(workspace, path.normalize(folder))) return false; // an agent can change a link in the project
  return SYSTEM.test(`${real}/`) || (isIn(realOf(home)) && PROGRAMS_OF_HOME.test(path.relative(realOf(home), real)));
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // it does not exist yet
  }
}

const nameIn = (folder: string, file: string): string => {
  const relative = path.relative(folder, file);
  return relative.startsWith("..") ? file : relative;
};

const isSameMap = (a: ReadonlyMap<string, string> = new Map(), b: ReadonlyMap<string, string> = new Map()): boolean =>
  a.size === b.size && [...a].every(([name, file]) => b.get(name) === file);
