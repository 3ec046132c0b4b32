import path from "node:path";

/** The systems that Baton tells apart. Every other system counts as Linux without `/proc`. */
export type Platform = "linux" | "macos" | "windows" | "other";

export function platformOf(name: string): Platform {
  switch (name) {
    case "linux":
      return "linux";
    case "darwin":
      return "macos";
    case "win32":
      return "windows";
    default:
      return "other";
  }
}

/** The system on which this process runs. */
export const currentPlatform = (): Platform => platformOf(process.platform);

/** Node's functions for paths of a system, even if it is not the current one. */
export const pathsOf = (platform: Platform): path.PlatformPath => (platform === "windows" ? path.win32 : path.posix);
