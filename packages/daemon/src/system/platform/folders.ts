import { pathsOf, type Platform } from "./platform.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The folder for state: `$XDG_STATE_HOME/baton` on Linux, elsewhere `data`, the folder for data. */
export function stateFolder(env: Env, data: string, platform: Platform): string {
  if (platform !== "linux") return data;
  const paths = pathsOf(platform);
  return paths.join(env["XDG_STATE_HOME"] ?? paths.join(env["HOME"] ?? "/", ".local", "state"), "baton");
}

/** The file with the rules of a managed machine, which only an administrator can write. */
export function managedFile(env: Env, platform: Platform): string {
  switch (platform) {
    case "windows":
      return pathsOf(platform).join(env["ProgramData"] ?? "C:\\ProgramData", "baton", "managed.jsonc");
    case "macos":
      return "/Library/Application Support/baton/managed.jsonc";
    case "linux":
    case "other":
      return "/etc/baton/managed.jsonc";
  }
}

/** The folder in which desktop programs such as editors keep their settings. `xdg`: the folder for settings on Linux. */
export function applicationFolder(home: string, xdg: string, env: Env, platform: Platform): string {
  const paths = pathsOf(platform);
  switch (platform) {
    case "windows":
      return env["APPDATA"] ?? paths.join(home, "AppData", "Roaming");
    case "macos":
      return paths.join(home, "Library", "Application Support");
    case "linux":
    case "other":
      return xdg;
  }
}
