import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import {
  toolsetToolDefinitions,
  toolsetInputs,
  toolsetTools,
  type ToolsetToolHints,
  type ToolsetTool,
} from "@baton/core/toolset/toolset-inputs";
import { exposedTools } from "@baton/core/toolset/exposed-tools";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { ToolHints } from "@baton/core/protocol/config/mcp";
import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ServerTool } from "../server-manager.ts";
import { searchDefinitions } from "./search-tools.ts";

/** The tools of an endpoint client, in a stable order. */
export function toolsFor(toolsetState: ToolsetState, catalog: ToolCatalog, known: readonly ServerTool[]): Tool[] {
  const { chosen, search, configuration } = exposedTools(toolsetState, catalog);
  const byName = new Map(known.map((each) => [each.name, each]));
  const nameOf = toolsetState.policy === "proxy" ? ({ listed }: ServerTool) => listed.tool : ({ name }: ServerTool) => name;
  return [
    ...chosen.flatMap(({ tool: { name }, notes }) => {
      const found = byName.get(name);
      return found ? [{ name: nameOf(found), ...chosenTool(found, notes) }] : [];
    }),
    ...search.map((name) => searchDefinitions[name]),
    ...configuration.map((name) => toolsetDefinitions().get(name)).filter((tool) => tool !== undefined),
  ];
}

function chosenTool({ listed }: ServerTool, notes: readonly string[]): Omit<Tool, "name"> {
  const { schema, outputSchema, hints } = listed;
  return {
    ...omitUndefined({ title: hints.title }),
    description: [listed.description, ...notes].join("\n\n"),
    inputSchema: { ...schema, type: "object" },
    ...(outputSchema ? { outputSchema: { ...outputSchema, type: "object" } } : {}),
    annotations: annotationsOf(hints),
  };
}

/** Every answer has `ok`. The other fields depend on the tool. */
const outputSchema: Tool["outputSchema"] = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    code: { type: "string" },
    message: { type: "string" },
    suggestions: { type: "array", items: { type: "string" } },
    mode: { type: "string", enum: ["configuration", "normal"] },
    revision: { type: "integer" },
  },
  required: ["ok"],
};

let made: ReadonlyMap<ToolsetTool, Tool> | undefined;

/** The definitions of the ten toolset tools, created on first use. */
function toolsetDefinitions(): ReadonlyMap<ToolsetTool, Tool> {
  made ??= new Map(
    toolsetTools.map((name): [ToolsetTool, Tool] => {
      const { $schema: _, ...schema } = z.toJSONSchema(toolsetInputs[name], { io: "input" });
      const { description, hints } = toolsetToolDefinitions[name];
      return [
        name,
        {
          name,
          title: hints.title,
          description,
          inputSchema: { ...schema, type: "object" } as Tool["inputSchema"],
          outputSchema,
          annotations: annotationsOf(hints),
        },
      ];
    }),
  );
  return made;
}

function annotationsOf({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: ToolHints | ToolsetToolHints): NonNullable<Tool["annotations"]> {
  return {
    ...omitUndefined({ title, readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: openWorld }),
  };
}
