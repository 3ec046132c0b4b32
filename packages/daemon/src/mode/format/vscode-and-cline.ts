import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { FieldReader } from "../field-reader.ts";
import type { ModeReadResult, ReadContext, ModeScope } from "../mode-read-context.ts";
import { DEFAULT_AGENT_GROUPS, readAgent, type AgentFields } from "./agent-markdown.ts";
import { readMarkdown } from "./markdown.ts";
import { groupsOfTools, parseListedTool } from "./tools-to-groups.ts";

/** Custom agents and chat modes of VS Code. Only for import. */
export const readVscodeMode = (file: string, text: string, scope: ModeScope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => vscodeParts(fields, reading)), [
    ".agent.md",
    ".chatmode.md",
    ".md",
  ]);

/** Agents of Cline: a header and a text, in a file with the extension of YAML. Only for import. */
export const readClineMode = (file: string, text: string, scope: ModeScope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => clineParts(fields, reading)), [
    ".yaml",
    ".yml",
    ".md",
  ]);

function vscodeParts(fields: FieldReader, reading: ReadContext): AgentFields {
  const listed = fields.texts(["tools"], ",")?.map(parseListedTool);
  const subagents = fields.texts(["agents"])?.map(({ text }) => text);
  const invocable = fields.flag("user-invocable");
  const groups = listed === undefined || listed.some(({ name }) => name === "*") ? DEFAULT_AGENT_GROUPS : groupsOfTools(listed, reading);
  return { groups, kind: invocable === false ? "subagent" : "all", ...omitUndefined({ subagents }) };
}

function clineParts(fields: FieldReader, reading: ReadContext): AgentFields {
  const listed = fields.texts(["tools"], ",")?.map(parseListedTool);
  const steps = fields.number("maxIterations");
  return {
    groups: listed === undefined ? DEFAULT_AGENT_GROUPS : groupsOfTools(listed, reading),
    kind: "subagent",
    ...omitUndefined({ maxSteps: steps }),
  };
}
