import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { expect, test } from "vitest";
import { gateCommand } from "../gate-command.ts";
import { repository, rule } from "../../../../test/support/limited-repository.ts";
import { literal, textOfAll } from "../words/word.ts";
import { remoteCalls } from "./remote-calls.ts";

const callsOf = (base: string, ...words: string[]) => remoteCalls(base, words.map(literal)).map(textOfAll);

test("each command of a text that another machine runs is a call of its own", () => {
  expect(callsOf("ssh", "-p", "22", "web", "ls; rm x")).toEqual(["-p 22 web ls", "-p 22 web rm x"]);
  expect(callsOf("ssh", "web", "ls", ">", "x")).toEqual(["web ls", "web > x"]);
  expect(callsOf("ssh", "web", "ls $(id)")).toContain("web id");
  expect(callsOf("adb", "-s", "a", "shell", "ls", "|", "sh")).toEqual(["-s a shell ls", "-s a shell sh"]);
  expect(callsOf("ssh", "web", "ls '")).toEqual(["web ?"]);
  expect(callsOf("ssh", "web", "ls ; '")).toEqual(["web ?"]);
  expect(callsOf("ssh", "-t", "web", "'rm' x")).toEqual(["-t web rm x"]);
  expect(callsOf("ssh", "web", "FOO=1 rm x 2>/dev/null")).toEqual(["web rm x"]);
});

test("a single command, and a program that starts its words itself, have no other calls", () => {
  expect(callsOf("ssh", "web", "grep", "-r", "x")).toEqual([]);
  expect(callsOf("ssh", "web")).toEqual([]);
  expect(callsOf("kubectl", "exec", "pod", "--", "ls", ";", "x")).toEqual([]);
});

test("a rule that allows one command on a host allows no other command behind it", async () => {
  using folder = await repository();
  const effectOf = (text: string, pattern: string) => {
    const user = [rule("command", pattern, "allow")];
    const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
    const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" });
    return judge({ ...rules, workspace: folder.path }, "run_command", gated).effect;
  };
  const others = [
    "ssh web ls '; id'",
    "ssh web ls a ';' id",
    "ssh web ls '> x'",
    "ssh web ls '$(id)'",
    "ssh web ls '`id`'",
    "ssh web ls '| sh'",
  ];
  expect(others.map((text) => effectOf(text, "ssh web ls *")).filter((effect) => effect === "allow")).toEqual([]);
  for (const text of ["ssh web ls -la", "ssh web 'ls a; ls b'"]) expect([text, effectOf(text, "ssh web ls *")]).toEqual([text, "allow"]);
  expect(effectOf("ssh web 'ls; id > x'", "ssh web *")).toBe("allow");
});
