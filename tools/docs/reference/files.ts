import { execFileSync } from "node:child_process";
import path from "node:path";
import { batonPaths } from "../../../packages/daemon/src/client/paths.ts";
import { code, table } from "../markdown.ts";
import type { Page } from "./page.ts";

type Paths = ReturnType<typeof batonPaths>;
type Folder = "config" | "state" | "log";

/** Each file of Baton. The compiler reports a path without a description. */
const about: Readonly<Record<Exclude<keyof Paths, Folder | "managedFile">, string>> = {
  configFile: "your settings",
  database: "the store: all sessions, grants and usage",
  places: "worktrees that Baton created for sessions (places). Agents work in them",
  backups: "daily copies of the store",
  blobs: "large contents: snapshots of files, images, long outputs",
  outputs: "the newest output of each running command, for its result after a crash. Removed when the command ends",
  discovery: "the port and the token of the running daemon, readable only by you",
  machine: "the id of this machine",
  modelCatalog: "prices and sizes of models that `baton models refresh` loaded",
  lock: "the lock that keeps a second daemon from starting",
  logFile: "the log of the daemon",
  codeIndex: "an index of the code of each workspace, for `codebase_search`. You can delete it",
  compileCache: "compiled code, for a faster start. You can delete it",
};

/** Folders in the state folder that only some users get. */
const stateFolders: readonly (readonly [string, string])[] = [
  ["plugins", "the plugins that you installed, with your approvals"],
  ["environments", "launchers of programs in the environments of folders, and which ones Baton has offered"],
  ["sandbox", "a private home and a folder for temporary files of each workspace, for commands in the sandbox. You can delete it"],
  ["transcripts", "the conversation for a hook that reads it, while the hook runs"],
];

/** Files that users write in the config folder. */
const ownFiles: readonly (readonly [string, string])[] = [
  ["AGENTS.md", "your instructions for every session"],
  ["rules/, rules-<mode>/", "more instructions, for all modes or for one"],
  ["modes/*.md, modes.yaml, modes.json", "your modes"],
  ["skills/, commands/", "your skills and slash commands"],
  ["tools/", "your script tools"],
  ["prompts/*.md", "replacements of Baton's own prompts"],
  ["keys.json", "keys of providers, if the system has no keychain. Readable only by you"],
];

/** Files that Baton writes into a workspace, with the moment when it does. */
const workspaceFiles: readonly (readonly [string, string])[] = [
  [".baton/plans/*.md", "an agent in the mode `plan` writes its plan"],
  [".baton/modes/*.md, .baton/rules-<mode>/", "you create or import a mode for the project, with `--scope project` or on the page"],
  [
    ".mcp.json, opencode.json, .gemini/settings.json, .cursor/mcp.json, .vscode/mcp.json",
    "you run `baton mcp install AGENT --write` for an agent with such a file",
  ],
];

const platforms = ["linux", "darwin", "win32"] as const;
const platformNames = { linux: "Linux", darwin: "macOS", win32: "Windows" } as const;

export function filesPage(): Page {
  const home = batonPaths({ BATON_HOME: "/home" });
  const rows = (Object.keys(about) as (keyof typeof about)[])
    .filter((name) => name !== "places")
    .map((name) => [code(path.basename(home[name])), folderOf(name), about[name]]);
  const placesRow = [
    code("baton-places"),
    "beside your data, such as `~/.local/share` on Linux; with `BATON_HOME` beside it",
    about.places,
  ];
  return {
    file: "files.md",
    title: "Files",
    about:
      "Where Baton keeps its files. `baton doctor` shows the folders of your machine. With `BATON_HOME` all of them are in that folder, and the log is in `log` below it.",
    parts: [
      "## Folders",
      table(["platform", "config", "state", "log", "managed config"], platforms.map(platformRow)),
      "On Linux `XDG_CONFIG_HOME` and `XDG_STATE_HOME` move the folders. An administrator writes the managed config.",
      "## Files that Baton writes",
      table(["file", "folder", "contents"], [...rows, placesRow, ...stateFolders.map(([name, text]) => [code(name), "state", text])]),
      "## Files that you may write in the config folder",
      table(
        ["file", "contents"],
        ownFiles.map(([file, text]) => [code(file), text]),
      ),
      "## Files in your repository",
      "Baton itself writes only these files into a workspace. The agent writes the files that you allow.",
      table(
        ["file", "when"],
        workspaceFiles.map(([file, text]) => [code(file), text]),
      ),
      "Trust, grants, snapshots and sessions are in the state folder, not in the repository.",
    ],
  };
}

function folderOf(name: keyof Paths): Folder {
  if (name === "configFile") return "config";
  return name === "logFile" ? "log" : "state";
}

function platformRow(platform: (typeof platforms)[number]): string[] {
  const { config, state, log, managedFile } = pathsOn(platform);
  return [platformNames[platform], ...[config, state, log, managedFile].map((file) => code(shown(file, platform)))];
}

const HOMES = { linux: "/home/you", darwin: "/Users/you", win32: "/Users/you" } as const;

/** The paths on another platform, from the same code in a process that believes it runs there. */
function pathsOn(platform: (typeof platforms)[number]): Paths {
  const script = path.join(import.meta.dirname, "print-paths.ts");
  const home = HOMES[platform];
  const output = execFileSync(process.execPath, ["--conditions=@baton/source", script, platform], {
    encoding: "utf8",
    env: { HOME: home, USERPROFILE: home },
  });
  return JSON.parse(output) as Paths; // print-paths.ts prints batonPaths
}

function shown(file: string, platform: (typeof platforms)[number]): string {
  const short = file.replace(HOMES[platform], platform === "win32" ? "%USERPROFILE%" : "~");
  return platform === "win32" ? short.replaceAll("/", "\\") : short;
}
