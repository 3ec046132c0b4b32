import { expect, test } from "vitest";
import { ALIASES, FIELD_NAMES } from "./field-names.ts";
import { readMode } from "./read-mode.ts";
import { ReadContext } from "./mode-read-context.ts";
import { parseJsonNode } from "./parse/json.ts";
import { toSource } from "./parse/source-text.ts";

/** A value for each field that has another name. */
const VALUES: Readonly<Record<string, unknown>> = {
  name: "Name",
  kind: "subagent",
  roleDefinition: "Role.",
  customInstructions: "Instructions.",
  customRules: ["A rule."],
  permissions: { edit: "deny" },
  maxSteps: 7,
  icon: "book",
  argumentHint: "hint",
  disabled: true,
  model: "openai/gpt",
};

function read(fields: Record<string, unknown>) {
  const text = JSON.stringify({
    slug: "it",
    groups: ["read"],
    ...("role" in fields || "prompt" in fields ? {} : { roleDefinition: "x" }),
    ...fields,
  });
  const { node } = parseJsonNode(text);
  return node?.kind === "map" ? readMode(node, new ReadContext(toSource("a test", text), "global"))?.mode : undefined;
}

test.each([...ALIASES])("%s is read as %s", (alias, name) => {
  expect(FIELD_NAMES).toContain(name);
  const value = VALUES[name];
  expect(read({ [alias]: value })).toEqual(read({ [name]: value }));
  expect(read({ [name]: value })).not.toEqual(read({}));
});
