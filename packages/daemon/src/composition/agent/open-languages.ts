import { readFile, stat } from "node:fs/promises";
import { openEditChecker, type EditChecker } from "../../language/checks/edit-checker.ts";
import { openProjectLanguageServers, type ProjectLanguageServers } from "../../config/project/project-language-servers.ts";
import { openEditorDiagnostics, type EditorDiagnostics } from "../../language/checks/editor-diagnostics.ts";
import { isOfProject } from "../../language/find-program.ts";
import { openCodeQueries } from "../../language/queries/query-code.ts";
import {
  hasInstalledServer,
  projectServers,
  languageServerDefinitions,
  serverFor,
  type LanguageSettings,
  type ServerSettings,
} from "../../language/server/server-definition.ts";
import { LanguageServerPool } from "../../language/server/server-pool.ts";
import type { CodeQueries } from "../../tool/code/code-query-types.ts";
import type { StdioProcesses } from "../../system/commands/stdio-process.ts";
import { commandLimits } from "../foundation/command-limits.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";
import { limitedSandbox } from "./limited-sandbox.ts";

export type Languages = {
  pool: LanguageServerPool;
  checks: EditChecker;
  queries: (mode: string) => CodeQueries;
  /** The editors that offer their diagnostics. */
  editors: EditorDiagnostics;
  /** Why no server answers questions about a workspace in a mode, as the end of a sentence. Undefined: one does. */
  missing: (workspace: string, mode: string) => string | undefined;
  /** Why no server renames symbols in a workspace in a mode, as the end of a sentence. Undefined: one may, as far as Baton knows. */
  missingRename: (workspace: string, mode: string) => string | undefined;
  /** The servers that projects define themselves. */
  projectServers: ProjectLanguageServers;
  /** The servers that could be used in a workspace, and where each was found. */
  installed: (workspace: string) => { name: string; file: string; where: "project" | "path" }[];
};

/** Servers that run programs of the project, wherever they are installed. A command in the sandbox can change these programs. */
const RUNS_PROJECT_CODE: ReadonlySet<string> = new Set(["typescript", "pyright", "ruby-lsp"]);

/** Opens the language servers of trusted workspaces. `plugins`: the servers of the plugins that are active in a workspace, or in one of the modes. None is started before a file of its kind is edited. */
export function openLanguages(
  foundation: Foundation,
  processes: StdioProcesses,
  plugins: (workspace: string, modes?: readonly string[]) => Readonly<Record<string, ServerSettings>>,
): Languages {
  const { config, env, report, ports, places } = foundation;
  const pool = new LanguageServerPool({
    processes,
    bounds: () => commandLimits(config.now().config),
    sandbox: ({ name, program, ofProject }, root) => {
      const isOwn = ofProject || isOfProject(program, root) || (program.where === "path" && RUNS_PROJECT_CODE.has(name));
      return limitedSandbox(isOwn ? foundation.sandbox.forTools() : foundation.sandbox.forServers(), root, foundation);
    },
    report: (problem) => report(problem, undefined),
  });
  const ofProjects = openProjectLanguageServers();
  const settings = (workspace: string, mode?: string): LanguageSettings => {
    const own = config.now().config.lsp ?? {};
    if (own === false) return false;
    const ofProject = isTrusted(foundation, workspace) ? serversOfProject(ofProjects.of(places.identity(workspace)), workspace) : {};
    const ofPlugins = plugins(workspace, mode === undefined ? undefined : [mode]);
    return { ...own, ...ofPlugins, ...ofProject, ...own }; // those of the user keep their place before the others
  };
  const inWorkspace = (file: string, workspace: string, mode: string) =>
    isTrusted(foundation, workspace) ? serverFor(file, settings(workspace, mode), workspace, env) : undefined;
  const editors = openEditorDiagnostics();
  const checks = openEditChecker({
    pool,
    serverFor: inWorkspace,
    editors,
    settings: () => {
      const { waitMs = 2_000, most = 10 } = config.now().config.checks ?? {};
      return { waitMs, most, areOn: config.now().config.lsp !== false };
    },
    snapshot: async (hash) => textOf(await ports.versions.read(hash)),
    current: readCurrent,
    report,
  });
  const queries = (mode: string) => openCodeQueries({ pool, serverFor: (file, workspace) => inWorkspace(file, workspace, mode) });
  const missing = (workspace: string, mode: string): string | undefined => {
    if (!isTrusted(foundation, workspace)) return "the folder is not trusted, so no language server runs in it";
    return hasInstalledServer(settings(workspace, mode), workspace, env)
      ? undefined
      : "no language server is installed for the code of this folder";
  };
  const missingRename = (workspace: string, mode: string): string | undefined => {
    const why = missing(workspace, mode);
    if (why !== undefined) return why;
    for (const definition of projectServers(settings(workspace, mode), workspace, env)) {
      const capabilities = pool.capabilities(definition, workspace);
      if (!capabilities || capabilities.renameProvider) return undefined;
    }
    return "the language servers of this folder cannot rename symbols";
  };
  const installed = (workspace: string) =>
    languageServerDefinitions(settings(workspace), workspace, env).map(({ name, program }) => ({ name, ...program }));
  return { pool, checks, queries, editors, missing, missingRename, projectServers: ofProjects, installed };
}

/** The servers of a project in the form of the setting `lsp`. */
const serversOfProject = (
  servers: ReturnType<ProjectLanguageServers["of"]>,
  workspace: string,
): Readonly<Record<string, ServerSettings>> => {
  const expand = (text: string) => text.replaceAll("${CLAUDE_PROJECT_DIR}", workspace);
  return Object.fromEntries(
    Object.entries(servers).map(([name, { command, args, languages, env, initialization }]) => [
      name,
      {
        command: [command, ...args].map(expand),
        extensions: Object.keys(languages),
        languages,
        env: Object.fromEntries(Object.entries(env).map(([key, text]) => [key, expand(text)])),
        initialization,
        ofProject: true,
      },
    ]),
  );
};

const MAX_BYTES = 10 * 1024 * 1024;

/** The text of a file. Null if there is none, undefined if it is not a text. */
async function readCurrent(file: string): Promise<string | null | undefined> {
  const stats = await stat(file).catch(() => null);
  if (!stats) return null;
  return stats.isFile() && stats.size <= MAX_BYTES ? textOf(await readFile(file)) : undefined;
}

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined || bytes.includes(0) ? undefined : Buffer.from(bytes).toString("utf8");
