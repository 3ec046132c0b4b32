import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readOpencodeConfig } from "./opencode.ts";

const root = mkdtempSync(path.join(tmpdir(), "baton-opencode-"));
afterAll(() => rmSync(root, { recursive: true }));
const project = path.join(root, "work");
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
};

const agent = async (prompt: string, file = "opencode.json") => {
  const text = JSON.stringify({ agent: { helper: { description: "Helps.", prompt } } });
  const { modes, faulty, diagnostics } = await readOpencodeConfig(path.join(project, file), text, "project");
  return { role: modes[0]?.mode.roleDefinition, faulty, told: diagnostics.map(({ severity, message }) => `${severity}: ${message}`) };
};

test("a prompt that names a file contains that file's text, if the file is in the project", async () => {
  put("prompts/helper.md", "You help.\n");
  put(".opencode/tone.txt", "Be kind.");
  put(".env", "KEY=secret");
  put("../outside.md", "Not for you.");
  symlinkSync(path.join(root, "outside.md"), path.join(project, "link.md"));
  symlinkSync(path.join(project, ".env"), path.join(project, "env.md"));
  expect(await agent("{file:./prompts/helper.md} Always.")).toEqual({ role: "You help. Always.", faulty: [], told: [] });
  expect(await agent("{file:tone.txt} {file:../prompts/helper.md}", ".opencode/opencode.json")).toMatchObject({
    role: "Be kind. You help.",
  });
  for (const [name, why] of [
    ["gone.md", "does not exist"],
    [".env", "not a .md or .txt file"],
    ["../outside.md", "is outside"],
    ["link.md", "is outside"],
    ["env.md", "is outside"],
  ])
    expect(await agent(`{file:${name}}`)).toEqual({
      role: undefined,
      faulty: ["helper"],
      told: [expect.stringMatching(new RegExp(`^error: .*${why}`))],
    });
});

test("a prompt does not contain a file that Baton should not read by itself", async () => {
  put("notes/private.md", "Hidden.");
  const text = JSON.stringify({ agent: { helper: { description: "Helps.", prompt: "{file:notes/private.md}" } } });
  const denied = (file: string) => (file.endsWith("notes/private.md") ? "Your rules deny reading it." : undefined);
  const { modes, diagnostics } = await readOpencodeConfig(path.join(project, "opencode.json"), text, "project", "opencode.json", denied);
  expect(modes).toEqual([]);
  expect(diagnostics.map(({ message }) => message)).toEqual(["notes/private.md is not read. Your rules deny reading it."]);
});

test("the parts of the file that do not apply by themselves are reported with the command that imports them", async () => {
  const text = JSON.stringify({ model: "a/b", permission: { bash: "deny" }, mcp: { x: { type: "local" } }, command: { lint: {} } });
  const { diagnostics, modes } = await readOpencodeConfig(path.join(project, "opencode.json"), text, "project");
  expect(modes).toEqual([]);
  expect(diagnostics.map(({ severity, message, fix = "" }) => [severity, message, fix])).toEqual([
    ["info", 'Baton does not use "permission" of this file.', expect.stringContaining("baton permissions import")],
    ["info", 'Baton does not use "mcp" of this file.', expect.stringContaining("baton mcp import")],
    ["info", 'Baton does not use "command" of this file.', expect.stringContaining(".opencode/command")],
  ]);
});
