import type { Fields } from "../field-reader.ts";
import type { Read, Reading, Scope } from "../read-context.ts";
import { EVERYTHING, readAgent, type AgentParts } from "./agent-markdown.ts";
import { readPage } from "./markdown.ts";
import { groupsOfTools, listedTool } from "./tool-choice.ts";

/** Custom agents and chat modes of VS Code. By import only. */
export const readVscodePage = (file: string, text: string, scope: Scope): Promise<Read> =>
  readPage(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => vscodeParts(fields, reading)), [
    ".agent.md",
    ".chatmode.md",
    ".md",
  ]);

/** Agents of Cline: a header and a text, in a file that is called YAML. By import only. */
export const readClinePage = (file: string, text: string, scope: Scope): Promise<Read> =>
  readPage(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => clineParts(fields, reading)), [
    ".yaml",
    ".yml",
    ".md",
  ]);

function vscodeParts(fields: Fields, reading: Reading): AgentParts {
  const listed = fields.texts(["tools"], ",")?.map(listedTool);
  const subagents = fields.texts(["agents"])?.map(({ text }) => text);
  const invocable = fields.flag("user-invocable");
  const groups = listed === undefined || listed.some(({ name }) => name === "*") ? EVERYTHING : groupsOfTools(listed, reading);
  return { groups, kind: invocable === false ? "subagent" : "all", ...(subagents === undefined ? {} : { subagents }) };
}

function clineParts(fields: Fields, reading: Reading): AgentParts {
  const listed = fields.texts(["tools"], ",")?.map(listedTool);
  const steps = fields.number("maxIterations");
  return {
    groups: listed === undefined ? EVERYTHING : groupsOfTools(listed, reading),
    kind: "subagent",
    ...(steps === undefined ? {} : { maxSteps: steps }),
  };
}
