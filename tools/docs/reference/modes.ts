import { builtinModes } from "../../../packages/core/src/mode/builtin-modes.ts";
import { toolGroups } from "../../../packages/core/src/mode/tool-groups.ts";
import { block, code, codes, table } from "../markdown.ts";
import type { Page } from "./page.ts";

type Mode = (typeof builtinModes)[number];

/** The built-in modes and the groups of tools. */
export const modesPage = (): Page => ({
  file: "modes.md",
  title: "Built-in modes and groups",
  about:
    "The modes that come with Baton, and the groups of tools that a mode can have. [Modes](../modes.md) explains how to write your own.",
  parts: [
    "## Modes",
    "Below the table are the advice for agents that delegate, and the instructions of each mode.",
    table(
      ["mode", "purpose", "groups"],
      builtinModes.map((mode) => [code(mode.slug), mode.description, mode.groups.map(groupText).join(", ")]),
    ),
    ...builtinModes.flatMap((mode) => [
      `### ${mode.slug}`,
      mode.whenToUse,
      block([mode.roleDefinition, "", ...mode.customInstructions.split("\n")], "text"),
    ]),
    "## Groups",
    table(
      ["group", "purpose", "actions", "tools"],
      toolGroups.map(({ name, description, actions, tools }) => [code(name), description, codes(actions), codes(tools)]),
    ),
  ],
});

/** A group with its limits. */
function groupText(group: Mode["groups"][number]): string {
  if (typeof group === "string") return code(group);
  const limits = [
    group.description,
    group.reading === true ? "only commands that read" : undefined,
    group.fileRegex === undefined ? undefined : code(group.fileRegex),
    group.tools === undefined ? undefined : `only ${codes(group.tools)}`,
  ];
  return `${code(group.name)} (${limits.filter((limit) => limit !== undefined).join(", ")})`;
}
