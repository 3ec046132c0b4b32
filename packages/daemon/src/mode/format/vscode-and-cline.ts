import type { FieldReader } from "../field-reader.ts";
import type { ModeReadResult, ReadContext, Scope } from "../read-context.ts";
import { EVERYTHING, readAgent, type AgentParts } from "./agent-markdown.ts";
import { readMarkdown } from "./markdown.ts";
import { groupsOfTools, parseListedTool } from "./tool-choice.ts";

/** Custom agents and chat modes of VS Code. By import only. */
export const readVscodeMode = (file: string, text: string, scope: Scope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => vscodeParts(fields, reading)), [
    ".agent.md",
    ".chatmode.md",
    ".md",
  ]);

/** Agents of Cline: a header and a text, in a file that is called YAML. By import only. */
export const readClineMode = (file: string, text: string, scope: Scope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => clineParts(fields, reading)), [
    ".yaml",
    ".yml",
    ".md",
  ]);

function vscodeParts(fields: FieldReader, reading: ReadContext): AgentParts {
  const listed = fields.texts(["tools"], ",")?.map(parseListedTool);
  const subagents = fields.texts(["agents"])?.map(({ text }) => text);
  const invocable = fields.flag("user-invocable");
  const groups = listed === undefined || listed.some(({ name }) => name === "*") ? EVERYTHING : groupsOfTools(listed, reading);
  return { groups, kind: invocable === false ? "subagent" : "all", ...(subagents === undefined ? {} : { subagents }) };
}

function clineParts(fields: FieldReader, reading: ReadContext): AgentParts {
  const listed = fields.texts(["tools"], ",")?.map(parseListedTool);
  const steps = fields.number("maxIterations");
  return {
    groups: listed === undefined ? EVERYTHING : groupsOfTools(listed, reading),
    kind: "subagent",
    ...(steps === undefined ? {} : { maxSteps: steps }),
  };
}
