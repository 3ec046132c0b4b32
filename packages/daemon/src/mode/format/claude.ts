import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { FieldReader } from "../field-reader.ts";
import type { ModeReadResult, ReadContext, ModeScope } from "../mode-read-context.ts";
import { DEFAULT_AGENT_GROUPS, readAgent, type AgentFields } from "./agent-markdown.ts";
import { readMarkdown } from "./markdown.ts";
import { groupsOfTools, parseListedTool } from "./tools-to-groups.ts";

/** Agents of Claude Code: `.claude/agents/*.md`. Without `tools` they may use everything. */
export const readClaudeMarkdown = (file: string, text: string, scope: ModeScope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => readAgent(page, reading, (fields) => partsOf(fields, reading)));

function partsOf(fields: FieldReader, reading: ReadContext): AgentFields {
  const listed = splitTools(fields, "tools")?.map(parseListedTool);
  const without = splitTools(fields, "disallowedTools", "disallowed-tools")?.map(parseListedTool);
  const all = listed === undefined || listed.some(({ name }) => name === "*");
  const groups = all ? DEFAULT_AGENT_GROUPS : groupsOfTools(listed, reading);
  const denied = without && groupsOfTools(without, reading);
  const tools = denied?.flatMap((group) => (typeof group === "string" ? [] : (group.tools ?? [])));
  const whole = new Set(denied?.filter((group) => typeof group === "string"));
  const children = listed
    ?.filter(({ name, detail }) => /^(Agent|Task)$/.test(name) && detail !== undefined)
    .map(({ detail = "" }) => detail);
  const mode = fields.entry("permissionMode");
  const permissionMode = fields.text("permissionMode");
  if (mode && permissionMode !== undefined && !["default", "plan"].includes(permissionMode))
    reading.warn(
      mode.at,
      "not_expressible",
      `permissionMode ${permissionMode} has no effect. Baton asks unless a rule allows an action.`,
      "Put rules that allow into your own config.",
    );
  const steps = fields.number("maxTurns");
  return {
    groups: groups
      .filter((group) => typeof group !== "string" || !whole.has(group))
      .filter((group) => permissionMode !== "plan" || (group !== "edit" && (typeof group === "string" || group.name !== "edit"))),
    kind: "subagent",
    ...(tools && tools.length > 0 ? { tools: { deny: tools } } : {}),
    ...(children && children.length > 0 ? { subagents: children.flatMap((names) => names.split(",").map((name) => name.trim())) } : {}),
    ...omitUndefined({ maxSteps: steps }),
  };
}

/** A list, or a text with commas. Commas in brackets belong to the tool. */
function splitTools(fields: FieldReader, ...names: string[]): { at: number; text: string }[] | undefined {
  return fields
    .texts(names)
    ?.flatMap(({ at, text }) =>
      (text.match(/[^,(]+(?:\([^)]*\))?/g) ?? []).map((part) => ({ at, text: part.trim() })).filter((part) => part.text !== ""),
    );
}
