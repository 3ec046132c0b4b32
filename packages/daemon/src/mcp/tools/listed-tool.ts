import type { ToolHints } from "@baton/core/protocol/config/mcp";
import { sanitize } from "@baton/core/text/sanitize";
import type { Tool } from "@modelcontextprotocol/client";
import { hashJson } from "../server-definition.ts";

/** A tool as its server describes it, cut to what a model gets. `hash` changes with everything that the server says about it. */
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

/** The tools of a server, and the problems with others. Of tools with the same name only the first counts. */
export function toListedTool(tools: readonly Tool[]): { listed: ListedTool[]; problems: string[] } {
  const byName = new Map<string, ListedTool>();
  const problems: string[] = [];
  for (const tool of tools.slice(0, MAX_TOOLS)) {
    if (byName.has(tool.name)) problems.push(`The tool ${tool.name} is listed twice; the first one is used.`);
    else if (JSON.stringify(tool.inputSchema).length > MAX_SCHEMA) problems.push(`The schema of the tool ${tool.name} is too large.`);
    else byName.set(tool.name, listedTool(tool));
  }
  if (tools.length > MAX_TOOLS) problems.push(`The server has ${tools.length} tools; only the first ${MAX_TOOLS} are used.`);
  return { listed: [...byName.values()], problems };
}

function listedTool({ name, title, description = "", inputSchema, outputSchema, annotations = {} }: Tool): ListedTool {
  const displayName = title ?? annotations.title;
  const hints: ToolHints = {
    title: displayName === undefined ? undefined : sanitize(displayName).slice(0, MAX_TITLE),
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

const wordFor = (hint: boolean | undefined, yes: string, no: string): string[] => (hint === undefined ? [] : [hint ? yes : no]);

/** A server's claims about a tool, in a few words for the user. */
export const toolHintsText = (hints: ToolHints): string => hintWords(hints).join(", ") || SAYS_NOTHING;

/** The same as a sentence without its period. */
export function serverSays(hints: ToolHints): string {
  const words = hintWords(hints).join(", ");
  return `The server ${words === "" ? SAYS_NOTHING : `says: ${words}`}`;
}

const SAYS_NOTHING = "says nothing about the effects of the tool";

function hintWords({ readOnly, destructive, openWorld }: ToolHints): string[] {
  return [
    ...wordFor(readOnly, "only reads", "changes things"),
    ...(readOnly !== true && destructive === true ? ["may destroy data"] : []),
    ...wordFor(openWorld, "contacts other systems", "stays local"),
  ];
}
