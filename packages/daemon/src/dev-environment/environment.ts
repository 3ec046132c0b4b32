import type { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";

/** A tool whose files are in a folder. `source`: its deciding file or folder, relative to that folder. */
export type FoundTool = { tool: EnvironmentTool; source: string };

/** The part of an environment that comes from one tool. `folders`: folders for the front of the PATH, the first one first. */
export type ToolEnvironment = {
  folders: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** Files and folders besides the approved files on which the result depends. */
  watched?: readonly string[];
};

/** Why a tool gives no environment, as a sentence for the user. */
export type EnvironmentProblem = { problem: string };

/** The environment of the commands of a folder. */
export type Environment = {
  /** The tools that it comes from. */
  tools: readonly FoundTool[];
  variables: Readonly<Record<string, string>>;
  /** Folders for the front of the PATH. No agent can write them without a question. */
  folders: readonly string[];
  /** The folder with launchers for `programs`, which comes before the others. */
  launchers?: string | undefined;
  /** Programs in the project that commands find by their names, with their paths relative to the folder. */
  programs: ReadonlyMap<string, string>;
  /** Sentences for the user about what is missing. */
  problems: readonly string[];
};

export const noEnvironment: Environment = { tools: [], variables: {}, folders: [], programs: new Map(), problems: [] };
