import { builtinModes } from "../../../packages/core/src/mode/builtin-modes.ts";
import { actionTable, toolTable } from "../../../packages/core/src/tool/tool-table.ts";
import { builtinTools } from "../../../packages/daemon/src/tool/builtin-tools.ts";
import { code, codes, escaped, table } from "../markdown.ts";
import type { Page } from "./page.ts";
import { schemaType } from "./schema-type.ts";
import { toJsonSchema } from "./to-json-schema.ts";

/** The actions that rules name, and every built-in tool. */
export function toolsPage(): Page {
  return {
    file: "tools.md",
    title: "Tools and actions",
    about:
      "The built-in tools, and the actions that [rules](../permissions.md) name. `baton tools --mode MODE` shows which of them a mode offers. Tools of MCP servers are named `server__tool`, and their action is `mcp`.",
    parts: [
      "## Actions",
      "The name of a tool is an action too, for a rule about everything that a call of that tool touches.",
      table(["action", "covers the tools", "group", "if no rule matches"], actionTable.map(actionRow)),
      "## Tools",
      "A tool without a group is in every mode.",
      table(["tool", "group", "action", "modes"], toolTable.map(toolRow)),
      ...builtinTools.flatMap(({ name, description, input, schema = toJsonSchema(input) }) => [
        `### ${name}`,
        escaped(description),
        argumentTable(schema),
      ]),
    ],
  };
}

/** Tools with a section of their own. `read_resource` belongs to the MCP servers of a session. */
const described: ReadonlySet<string> = new Set(builtinTools.map(({ name }) => name));

const actionRow = ({ name, group, byDefault = "ask" }: (typeof actionTable)[number]): string[] => [
  code(name),
  codes(toolTable.filter(({ action }) => action === name).map((tool) => tool.name)),
  group ?? "",
  byDefault,
];

const toolRow = ({ name, group, action }: (typeof toolTable)[number]): string[] => [
  described.has(name) ? `[${code(name)}](#${name})` : `[${code(name)}](../mcp.md#resources-and-prompts)`,
  group ?? "",
  code(action),
  modesWith(name, group).join(", "),
];

/** The built-in modes that have the tool. A mode may have only some tools of a group. */
function modesWith(tool: string, group: string | undefined): string[] {
  if (group === undefined) return ["all"];
  const has = (each: (typeof builtinModes)[number]["groups"][number]): boolean =>
    typeof each === "string" ? each === group : each.name === group && (each.tools?.includes(tool) ?? true);
  return builtinModes.filter((mode) => mode.groups.some(has)).map(({ slug }) => slug);
}

const HEADS = ["argument", "type", "required"];

function argumentTable({ properties = {}, required = [] }: ReturnType<typeof toJsonSchema>): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    code(schemaType(schema)),
    required.includes(name) ? "yes" : "",
    typeof schema === "object" ? (schema.description ?? "") : "",
  ]);
  if (rows.length === 0) return "No arguments.";
  const hasMeaning = rows.some((row) => row.at(-1) !== "");
  return hasMeaning
    ? table([...HEADS, "meaning"], rows)
    : table(
        HEADS,
        rows.map((row) => row.slice(0, -1)),
      );
}
