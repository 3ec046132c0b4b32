import type { Platform } from "./platform.ts";

/** The program that opens an address or a file for the user, and its first arguments. */
export function openerOf(platform: Platform): readonly [program: string, ...args: string[]] {
  switch (platform) {
    case "windows":
      return ["cmd", "/c", "start", ""]; // the empty text is the title of a window
    case "macos":
      return ["open"];
    case "linux":
    case "other":
      return ["xdg-open"];
  }
}

/** The name of npm, which is a script on Windows. */
export const npmProgram = (platform: Platform): string => (platform === "windows" ? "npm.cmd" : "npm");
