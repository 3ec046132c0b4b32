import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteFor, type ShellKind } from "./quote.ts";

test.each<[ShellKind, string, string | undefined]>([
  ["sh", "plain/file.ts", "plain/file.ts"],
  ["sh", "", "''"],
  ["sh", "two words", "'two words'"],
  ["sh", "it's", `'it'\\''s'`],
  ["bash", '$HOME `ls` \\ "', "'$HOME `ls` \\ \"'"],
  ["pwsh", "C:\\a\\b.txt", "C:\\a\\b.txt"],
  ["pwsh", "-Force", "'-Force'"],
  ["pwsh", "$env:PATH; ls", "'$env:PATH; ls'"],
  ["powershell", "it's", "'it''s'"],
  ["powershell", "a\u2019; ls \u2018b", "'a\u2019\u2019; ls \u2018\u2018b'"],
  ["cmd", "C:\\a\\b.txt", "C:\\a\\b.txt"],
  ["cmd", "two & three", '"two & three"'],
  ["cmd", "C:\\Program Files\\", '"C:\\Program Files\\\\"'],
  ["cmd", "%PATH%", undefined],
  ["cmd", 'a"b', undefined],
  ["cmd", "a\nb", undefined],
  ["cmd", "a!b", undefined],
])("%s reads %j as %s", (kind, text, quoted) => expect(quoteFor(kind, text)).toBe(quoted));

test.each(["", "it's", "two words", "$HOME", "`ls`", "\\", '"', "a\nb", "*", "~", "-n", "ü 🎉", "a;b|c&d>e"])(
  "a real shell reads %j as one argument",
  (text) => {
    const printed = execFileSync("/bin/sh", ["-c", `printf %s ${quoteFor("sh", text) ?? ""}`], { encoding: "utf8" });
    expect(printed).toBe(text);
  },
);
