import type { Platform } from "./platform.ts";

/** Variables without which programs of a system do not start or do not find their folders. None of them holds a secret. */
export function requiredVariables(platform: Platform): readonly string[] {
  if (platform !== "windows") return [];
  return (
    "SystemRoot SystemDrive windir ComSpec PATHEXT Path TEMP TMP USERPROFILE USERNAME APPDATA LOCALAPPDATA ProgramData ProgramFiles " +
    "ProgramFiles(x86) ProgramW6432 CommonProgramFiles NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS"
  ).split(" ");
}

/** The path for programs if the environment has none. */
export const defaultPath = (platform: Platform): string =>
  platform === "windows" ? "C:\\Windows\\System32;C:\\Windows" : "/usr/local/bin:/usr/bin:/bin";
