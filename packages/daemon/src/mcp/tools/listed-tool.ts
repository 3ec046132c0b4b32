import type { ToolHints } from "@baton/core/protocol/mcp";
import { sanitize } from "@baton/core/text/sanitize";
import type { Tool } from "@modelcontextprotocol/client";
import { hashJson } from "../server-definition.ts";

/** A tool as its server describes it, cut to what may be put before a model. `hash` changes with all that is said of it. */
export type ListedTool = {
  tool: string;
  description: string;
  schema: Readonly<Record<string, unknown>>;
  outputSchema: Readonly<Record<string, unknown>> | undefined;
  hints: ToolHints;
  hash: string;
};

const MAX_TOOLS = 500;
const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 64_000;
const MAX_TITLE = 100;

/** The tools of a server, and what was left out of them. A name that comes twice is taken once. */
export function toListedTool(tools: readonly Tool[]): { listed: ListedTool[]; problems: string[] } {
  const byName = new Map<string, ListedTool>();
  const problems: string[] = [];
  for (const tool of tools.slice(0, MAX_TOOLS)) {
    if (byName.has(tool.name)) problems.push(`The tool ${tool.name} is listed twice; the first counts.`);
    else if (JSON.stringify(tool.inputSchema).length > MAX_SCHEMA) problems.push(`The tool ${tool.name} has a schema that is too large.`);
    else byName.set(tool.name, listedTool(tool));
  }
  if (tools.length > MAX_TOOLS) problems.push(`It has ${tools.length} tools; the first ${MAX_TOOLS} count.`);
  return { listed: [...byName.values()], problems };
}

function listedTool({ name, title, description = "", inputSchema, outputSchema, annotations = {} }: Tool): ListedTool {
  const said = title ?? annotations.title;
  const hints: ToolHints = {
    title: said === undefined ? undefined : sanitize(said).slice(0, MAX_TITLE),
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    idempotent: annotations.idempotentHint,
    openWorld: annotations.openWorldHint,
  };
  return {
    tool: name,
    description: sanitize(description).slice(0, MAX_DESCRIPTION),
    schema: inputSchema,
    outputSchema,
    hints,
    hash: hashJson({ name, title, description, inputSchema, outputSchema, annotations }),
  };
}

/** What a server says of a tool, in a few words for a person. */
export function annotationHints({ readOnly, destructive, openWorld }: ToolHints): string {
  const said = [
    ...(readOnly === true ? ["only reads"] : readOnly === false ? ["changes things"] : []),
    ...(readOnly !== true && destructive === true ? ["may destroy"] : []),
    ...(openWorld === true ? ["reaches the outside"] : openWorld === false ? ["stays local"] : []),
  ];
  return said.length === 0 ? "says nothing of its effects" : said.join(", ");
}
