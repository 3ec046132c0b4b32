import { existsSync } from "node:fs";
import path from "node:path";
import { findProgram, type FoundProgram } from "../find-program.ts";
import { knownServers, type KnownServer } from "./known-servers.ts";

/** One server in the setting `lsp`. All fields of a known server have defaults. */
export type ServerSettings = {
  disabled?: boolean | undefined;
  command?: readonly string[] | undefined;
  extensions?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  initialization?: Readonly<Record<string, unknown>> | undefined;
  /** The protocol's names of languages by extension, where they differ from those that Baton knows. */
  languages?: Readonly<Record<string, string>> | undefined;
  /** A file of the project defines it. */
  ofProject?: boolean | undefined;
  /** It comes after all others, so it only gets files that no other installed server wants. */
  last?: boolean | undefined;
};

/** The setting `lsp`. False turns all servers off. */
export type LanguageSettings = false | Readonly<Record<string, ServerSettings>>;

/** A language server that can be started: its program was found. */
export type LanguageServerDefinition = {
  name: string;
  extensions: readonly string[];
  program: FoundProgram;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  initialization: Readonly<Record<string, unknown>>;
  /** The protocol's names of languages by extension. Baton knows the others. */
  languages: Readonly<Record<string, string>>;
  ofProject: boolean;
};

type Env = Readonly<Record<string, string | undefined>>;
/** A server before its program is searched. */
type Candidate = Omit<LanguageServerDefinition, "program" | "args"> & {
  commands: readonly (readonly string[])[];
  /** Undefined: every folder has its kind of project. */
  markers: readonly string[] | undefined;
};

/** All servers that can be started for a folder. */
export const languageServerDefinitions = (settings: LanguageSettings, folder: string, env: Env): LanguageServerDefinition[] =>
  candidates(settings).flatMap((candidate) => installed(candidate, folder, env) ?? []);

/** The server for a file in a folder. */
export function serverFor(file: string, settings: LanguageSettings, folder: string, env: Env): LanguageServerDefinition | undefined {
  const extension = path.extname(file).toLowerCase();
  for (const candidate of candidates(settings)) {
    const definition = candidate.extensions.includes(extension) ? installed(candidate, folder, env) : undefined;
    if (definition) return definition;
  }
  return undefined;
}

/** True if a server is installed and the folder has its kind of project. Servers of the settings count in every folder. */
export const hasInstalledServer = (settings: LanguageSettings, folder: string, env: Env): boolean =>
  projectServers(settings, folder, env).next().done !== true;

/** The installed servers for the code of a folder. */
export function* projectServers(settings: LanguageSettings, folder: string, env: Env): Generator<LanguageServerDefinition> {
  for (const candidate of candidates(settings)) {
    if (candidate.markers?.every((name) => !existsSync(path.join(folder, name)))) continue;
    const definition = installed(candidate, folder, env);
    if (definition) yield definition;
  }
}

/** The servers that are not disabled. Those that only the settings name come first, so that they win over known ones. Those of plugins come last. */
function candidates(settings: LanguageSettings): Candidate[] {
  if (settings === false) return [];
  const own = Object.keys(settings).filter((name) => !knownServers.some((known) => known.name === name));
  const ownRows = own.map((name): KnownServer => ({ name, extensions: [], commands: [] }));
  const isLast = ({ name }: KnownServer) => settings[name]?.last === true;
  return [...ownRows.filter((row) => !isLast(row)), ...knownServers, ...ownRows.filter(isLast)].flatMap(
    ({ name, extensions, commands, markers = [], initialization = {} }) => {
      const mine = settings[name] ?? {};
      if (mine.disabled) return [];
      return [
        {
          name,
          extensions: mine.extensions ?? extensions,
          commands: mine.command ? [mine.command] : commands,
          markers: settings[name] ? undefined : markers,
          env: mine.env ?? {},
          initialization: { ...initialization, ...mine.initialization },
          languages: mine.languages ?? {},
          ofProject: mine.ofProject === true,
        },
      ];
    },
  );
}

function installed({ commands, markers: _, ...candidate }: Candidate, folder: string, env: Env): LanguageServerDefinition | undefined {
  for (const [name, ...args] of commands) {
    const program = name === undefined ? undefined : findProgram(name, folder, env);
    if (program) return { ...candidate, program, args };
  }
  return undefined;
}
