import { applicationFolder } from "../system/platform/folders.ts";
import { currentPlatform } from "../system/platform/platform.ts";
import path from "node:path";
import type { ModeFileKind } from "./format/format-readers.ts";
import type { ModeFormat, ModeScope } from "./mode-read-context.ts";

/**
 * A location of modes: a file, or a folder with files of some extensions. `deep`: subfolders are searched as well. `below`: the files are
 * at that path below each subfolder.
 */
export type ModeLocation = { scope: ModeScope; format: ModeFormat; kind: ModeFileKind; path: string } & (
  | { holds: "file" }
  | { holds: "folder"; endings: readonly string[]; deep?: boolean }
  | { holds: "folders"; below: readonly string[] }
);

const MD = [".md"];

/** The locations of a project's modes, strongest first. */
export function projectModeLocations(workspace: string): ModeLocation[] {
  const at = (...parts: string[]) => path.join(workspace, ...parts);
  return [
    ...batonLocations("project", at(".baton")),
    ...rooPlaces(at),
    ...agentLocations("project", { opencode: at(".opencode"), kilo: at(".kilo"), roots: [workspace], claude: at(".claude") }),
  ];
}

/** The locations of the user's modes, strongest first. `config`: Baton's config folder. `home`: the user's home. */
export function userModeLocations({
  config,
  home,
  env,
}: {
  config: string;
  home: string;
  env: Record<string, string | undefined>;
}): ModeLocation[] {
  const platformConfig = env["XDG_CONFIG_HOME"] ?? path.join(home, ".config");
  const opencode = path.join(platformConfig, "opencode");
  const kilo = path.join(platformConfig, "kilo");
  return [
    ...batonLocations("global", config),
    ...storages(home, platformConfig, env).map((storage): ModeLocation => ({
      scope: "global",
      format: "roo",
      kind: "mode-list",
      path: storage,
      holds: "folders",
      below: STORED,
    })),
    ...agentLocations("global", { opencode, kilo, roots: [opencode, kilo], claude: path.join(home, ".claude") }),
  ];
}

function batonLocations(scope: ModeScope, folder: string): ModeLocation[] {
  const own = { scope, format: "own" } as const;
  return [
    { ...own, kind: "own-page", path: path.join(folder, "modes"), holds: "folder", endings: MD },
    ...["modes.yaml", "modes.yml", "modes.json"].map((name): ModeLocation => ({
      ...own,
      kind: "mode-list",
      path: path.join(folder, name),
      holds: "file",
    })),
  ];
}

const rooPlaces = (at: (name: string) => string): ModeLocation[] => [
  { scope: "project", format: "roo", kind: "mode-list", path: at(".roomodes"), holds: "file" },
  { scope: "project", format: "kilo", kind: "mode-list", path: at(".kilocodemodes"), holds: "file" },
];

type AgentFolders = { opencode: string; kilo: string; roots: readonly string[]; claude: string };

function agentLocations(scope: ModeScope, { opencode, kilo, roots, claude }: AgentFolders): ModeLocation[] {
  const pages = (folder: string): ModeLocation[] => [
    ...["agent", "agents"].map((name): ModeLocation => ({
      scope,
      format: "opencode",
      kind: "opencode-page",
      path: path.join(folder, name),
      holds: "folder",
      endings: MD,
      deep: true,
    })),
    ...["mode", "modes"].map((name): ModeLocation => ({
      scope,
      format: "opencode",
      kind: "opencode-mode-page",
      path: path.join(folder, name),
      holds: "folder",
      endings: MD,
    })),
  ];
  const configs = [...new Set([...roots, opencode, kilo])].flatMap((folder) =>
    ["opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"].map((name) => path.join(folder, name)),
  );
  return [
    ...pages(opencode),
    ...pages(kilo),
    ...configs.map((file): ModeLocation => ({ scope, format: "opencode", kind: "opencode-config", path: file, holds: "file" })),
    { scope, format: "claude", kind: "claude-page", path: path.join(claude, "agents"), holds: "folder", endings: MD, deep: true },
  ];
}

/** The mode files of editor extensions, relative to the storage folder of the extension. */
const STORED = ["settings/custom_modes.yaml", "settings/custom_modes.yml", "settings/custom_modes.json"];

/** The storage folders of editor extensions. */
function storages(home: string, platformConfig: string, env: Record<string, string | undefined>): string[] {
  const editors = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
  const parent = applicationFolder(home, platformConfig, env, currentPlatform());
  return [
    ...editors.map((editor) => path.join(parent, editor, "User", "globalStorage")),
    ...[".vscode-server", ".vscode-server-insiders", ".cursor-server"].map((server) =>
      path.join(home, server, "data", "User", "globalStorage"),
    ),
  ];
}
