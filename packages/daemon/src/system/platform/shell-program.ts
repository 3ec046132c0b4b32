import type { ShellKind } from "./quote.ts";
import type { Platform } from "./platform.ts";

/** The call of a program. `verbatim`: Windows must not quote the arguments again. */
type ProgramCall = { file: string; args: readonly string[]; verbatim?: true };

/** A shell that runs commands. `title`: its name for users and models. */
export type ShellProgram = { kind: ShellKind; title: string; call: (command: string) => ProgramCall };

type FindShellOptions = {
  platform: Platform;
  env: Readonly<Record<string, string | undefined>>;
  exists: (file: string) => boolean;
};

/** Finds the shell for commands: bash, otherwise sh. On Windows PowerShell 7, otherwise Windows PowerShell, otherwise cmd. */
export function findShell({ platform, env, exists }: FindShellOptions): ShellProgram {
  if (platform !== "windows") {
    const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...(env["PATH"] ?? "").split(":")];
    const bash = folders.map((folder) => `${folder}/bash`).find((file) => file.startsWith("/") && exists(file));
    return bash === undefined ? shellProgram("sh", "/bin/sh") : shellProgram("bash", bash);
  }
  const system = env["SystemRoot"] ?? "C:\\Windows";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(";").filter((folder) => /^[A-Za-z]:\\/.test(folder)); // not the current folder
  const inFolders = (name: string) => folders.map((folder) => `${folder.replace(/\\+$/, "")}\\${name}`).find(exists);
  const pwsh = inFolders("pwsh.exe");
  if (pwsh !== undefined) return shellProgram("pwsh", pwsh);
  const powershell = `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
  return exists(powershell)
    ? shellProgram("powershell", powershell)
    : shellProgram("cmd", env["ComSpec"] ?? `${system}\\System32\\cmd.exe`);
}

/** A shell in this file, without the startup files of the user. */
export const shellProgram = (kind: ShellKind, file: string): ShellProgram => ({
  kind,
  title: TITLES[kind],
  call: (command) => ({ file, ...callOf(kind, command) }),
});

const TITLES: Readonly<Record<ShellKind, string>> = {
  bash: "bash",
  sh: "sh",
  pwsh: "PowerShell 7",
  powershell: "Windows PowerShell 5.1",
  cmd: "cmd.exe",
};

function callOf(kind: ShellKind, command: string): Omit<ProgramCall, "file"> {
  switch (kind) {
    case "bash":
      return { args: ["--norc", "--noprofile", "-c", command] };
    case "sh":
      return { args: ["-c", command] };
    case "pwsh":
    case "powershell":
      return { args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand", encoded(command)] };
    case "cmd":
      return { args: ["/d", "/s", "/c", `"${command}"`], verbatim: true }; // with /s, cmd removes exactly the outer quotes
  }
}

/** Base64 of UTF-16, so that no program between Baton and PowerShell changes the quotes of a command. */
const encoded = (command: string): string => Buffer.from(powerShellScript(command), "utf16le").toString("base64");

/** PowerShell does not pass on the exit code of a program, prints progress, and does not write UTF-8 by itself. */
const powerShellScript = (command: string): string =>
  [
    "$ProgressPreference = 'SilentlyContinue'",
    "[Console]::OutputEncoding = [System.Text.Encoding]::UTF8",
    command,
    "if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }",
  ].join("\n");
