import { expect, test } from "vitest";
import type { Platform } from "./platform.ts";
import { findShell, shellProgram } from "./shell-program.ts";
import { npmProgram, openerOf } from "./program-names.ts";
import { defaultPath, requiredVariables } from "./required-env.ts";
import { treeKillCall } from "./kill-windows-tree.ts";

const WINDOWS_POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

test.each<[Platform, Record<string, string>, string[], string, string]>([
  ["linux", {}, ["/bin/bash"], "bash", "/bin/bash"],
  ["linux", { PATH: "/opt/bin:/nix/bin" }, ["/nix/bin/bash"], "bash", "/nix/bin/bash"],
  ["linux", { PATH: ".:bin" }, ["bin/bash", "./bash"], "sh", "/bin/sh"],
  ["macos", {}, [], "sh", "/bin/sh"],
  [
    "windows",
    { PATH: "C:\\Tools;C:\\Program Files\\PowerShell\\7\\" },
    ["C:\\Program Files\\PowerShell\\7\\pwsh.exe"],
    "pwsh",
    "C:\\Program Files\\PowerShell\\7\\pwsh.exe",
  ],
  ["windows", { Path: ".;tools" }, [".\\pwsh.exe", "tools\\pwsh.exe", WINDOWS_POWERSHELL], "powershell", WINDOWS_POWERSHELL],
  ["windows", { PATH: "" }, [], "cmd", "C:\\Windows\\System32\\cmd.exe"],
  ["windows", { SystemRoot: "D:\\Win", ComSpec: "D:\\Win\\System32\\cmd.exe" }, [], "cmd", "D:\\Win\\System32\\cmd.exe"],
])("on %s with %j and %j the shell is %s", (platform, env, files, kind, file) => {
  const found = findShell({ platform, env, exists: (each) => files.includes(each) });
  expect([found.kind, found.call("ls").file]).toEqual([kind, file]);
});

test("POSIX shells get the command as it is, without startup files", () => {
  expect(shellProgram("bash", "/bin/bash").call("echo $1 'a'")).toEqual({
    file: "/bin/bash",
    args: ["--norc", "--noprofile", "-c", "echo $1 'a'"],
  });
  expect(shellProgram("sh", "/bin/sh").call("ls")).toEqual({ file: "/bin/sh", args: ["-c", "ls"] });
});

test("PowerShell gets the command encoded, so that nothing changes its quotes, and passes on the exit code", () => {
  const { args, verbatim } = shellProgram("pwsh", "pwsh.exe").call(`Write-Output "a 'b' \\"; exit 3`);
  expect([args.slice(0, -1), verbatim]).toEqual([
    ["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand"],
    undefined,
  ]);
  const lines = Buffer.from(args.at(-1) ?? "", "base64")
    .toString("utf16le")
    .split("\n");
  expect(lines[2]).toBe(`Write-Output "a 'b' \\"; exit 3`);
  expect(lines.at(-1)).toContain("exit $LASTEXITCODE");
});

test("cmd gets the command in outer quotes, which it removes, and Windows adds no others", () => {
  expect(shellProgram("cmd", "cmd.exe").call('dir "C:\\a b"')).toEqual({
    file: "cmd.exe",
    args: ["/d", "/s", "/c", '"dir "C:\\a b""'],
    verbatim: true,
  });
});

test.each<[Platform, string[], string, string]>([
  ["linux", ["xdg-open"], "npm", "/usr/local/bin:/usr/bin:/bin"],
  ["other", ["xdg-open"], "npm", "/usr/local/bin:/usr/bin:/bin"],
  ["macos", ["open"], "npm", "/usr/local/bin:/usr/bin:/bin"],
  ["windows", ["cmd", "/c", "start", ""], "npm.cmd", "C:\\Windows\\System32;C:\\Windows"],
])("%s has its programs", (platform, opener, npm, path) =>
  expect([openerOf(platform), npmProgram(platform), defaultPath(platform)]).toEqual([opener, npm, path]),
);

test("Windows needs variables that others lack, none of them secret", () => {
  expect(requiredVariables("linux")).toEqual([]);
  const names = requiredVariables("windows");
  expect(names).toEqual(expect.arrayContaining(["SystemRoot", "PATHEXT", "TEMP", "USERPROFILE"]));
  expect(names.filter((name) => /token|key|secret|password/i.test(name))).toEqual([]);
});

test("a process of Windows ends with its descendants", () => expect(treeKillCall(42)).toEqual(["taskkill", ["/PID", "42", "/T", "/F"]]));
