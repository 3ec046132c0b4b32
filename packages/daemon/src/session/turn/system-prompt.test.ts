import { readFileSync } from "node:fs";
import { builtinModes } from "@baton/core/mode/builtin-modes";
import type { Mode } from "@baton/core/protocol/mode";
import { expect, test } from "vitest";
import { systemPrompt, systemPromptParts, type SystemPromptInput } from "./system-prompt.ts";

const shipped = (name: string) => readFileSync(new URL(`../../../prompts/${name}.md`, import.meta.url), "utf8").trim();
const texts = { identity: shipped("identity"), how: shipped("how-to-work") };

const [code] = builtinModes;
if (!code) throw new Error("no built-in mode");
const prompt = (mode: Partial<Mode> = {}, more: Partial<SystemPromptInput> = {}) =>
  systemPrompt(
    systemPromptParts({
      mode: { ...code, ...mode },
      workspace: "/w",
      folders: [],
      planFile: "plan.md",
      platform: "linux",
      shell: "bash",
      texts,
      instructions: { files: [], nested: [] },
      skills: [],
      modes: [],
      ...more,
    }),
  );

test("the parts of the prompt are in order, and the mode's own system prompt comes last", () => {
  const text = prompt(
    { roleDefinition: "ROLE", description: "DESCRIPTION", customInstructions: "CUSTOM", customRules: ["RULE"], systemPrompt: "LAST" },
    {
      instructions: { files: [{ origin: "AGENTS.md", text: "AGENTS", project: true }], nested: ["sub/AGENTS.md"] },
      modes: [{ slug: "MODE", use: "for\nthat", only: "new_task" }],
      skills: [{ name: "SKILL", description: "for\nthis" }],
    },
  );
  const places = [
    "ROLE",
    "DESCRIPTION",
    "CUSTOM",
    "RULE",
    "How to work",
    "MODE (new_task only): for that",
    "SKILL: for this",
    "AGENTS\n",
    "sub/AGENTS.md",
    "LAST",
  ].map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.every((place) => place > 0)).toBe(true);
});

test("variables are filled in, and unknown ones stay as they are", () => {
  expect(prompt({ roleDefinition: "{{a}} {{ b }} {{planFile}} {{none}} {{toString}}", variables: { a: "one", b: 2 } })).toContain(
    "one 2 plan.md {{none}} {{toString}}",
  );
  expect(prompt({ roleDefinition: "{{mode}}", variables: { mode: "false" } })).toContain("code");
});

test.each(builtinModes.map((mode) => [mode.slug, mode] as const))("%s is told in less than 4 KiB", (_, mode) =>
  expect(Buffer.byteLength(prompt(mode))).toBeLessThan(4096),
);
