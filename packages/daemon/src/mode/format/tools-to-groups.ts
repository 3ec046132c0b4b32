import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolGroups } from "@baton/core/mode/tool-groups";
import type { Group, GroupName } from "@baton/core/protocol/mode";
import { canonicalToolName, toolTable } from "@baton/core/tool/tool-table";
import type { ReadContext } from "../mode-read-context.ts";

/** Names in the tool lists of other agents that mean nothing for groups: every mode has the tool, or Baton has none like it. */
const WITHOUT_GROUP: ReadonlySet<string> = new Set([
  "todowrite",
  "todoread",
  "todo",
  "todos",
  "askuserquestion",
  "question",
  "skill",
  "exitplanmode",
]);

/** An entry in another program's tool list: its name, and the text in brackets after it. */
type ListedTool = { at: number; name: string; detail?: string };

/** Splits an entry such as `Bash(git *)`. */
export function parseListedTool({ at, text }: { at: number; text: string }): ListedTool {
  const [, name = text, detail] = /^([^(]+)\((.*)\)$/.exec(text) ?? [];
  return { at, name: name.trim(), ...omitUndefined({ detail }) };
}

/** Converts a list of other programs' tools to groups. Unknown tools are left out with a warning. */
export function groupsOfTools(listed: readonly ListedTool[], reading: ReadContext): Group[] {
  const chosen = new Map<GroupName, Set<string> | "whole">();
  const commands: string[] = [];
  const add = (group: GroupName, tools: readonly string[] | undefined) => {
    const before = chosen.get(group);
    chosen.set(group, before === "whole" || !tools ? "whole" : new Set([...(before ?? []), ...tools]));
  };
  for (const tool of listed) {
    const meant = meaningOf(tool.name);
    if (meant === undefined)
      reading.warn(tool.at, "unknown_tool", `Baton does not know the tool ${JSON.stringify(tool.name.slice(0, 60))}, so it ignores it.`);
    if (!meant) continue;
    add(meant.group, meant.tools);
    if (meant.group === "command" && tool.detail !== undefined) commands.push(commandOf(tool.detail));
  }
  const all = listed.some(({ name, detail }) => meaningOf(name)?.group === "command" && detail === undefined);
  return [...chosen].map(([name, tools]): Group => {
    const commandRegex = name === "command" && commands.length > 0 && !all ? commands.join("|") : undefined;
    const only = tools === "whole" || coversAll(name, tools) ? undefined : [...tools];
    if (commandRegex === undefined && only === undefined) return name;
    return { name, ...omitUndefined({ tools: only, commandRegex }) };
  });
}

/** The group and the tools that another agent's name means: null where it means no group, undefined where Baton does not know it. */
function meaningOf(name: string): { group: GroupName; tools?: readonly string[] } | null | undefined {
  const key = name
    .toLowerCase()
    .replace(/[_-]/g, "")
    .replace(/^.*\//, (start) => (start.startsWith("mcp") ? start : ""));
  if (WITHOUT_GROUP.has(key)) return null;
  const whole = toolGroups.find(({ listedAs }) => listedAs?.includes(key));
  if (whole) return { group: whole.name };
  const listed = toolTable.filter(({ listedAs }) => listedAs?.includes(key));
  const [first] = listed;
  if (first?.group) return { group: first.group, tools: listed.map((tool) => tool.name) };
  const mcp = /^mcp__([\w-]+?)(?:__(.+))?$/.exec(name) ?? /^([\w.-]+)\/(.+)$/.exec(name);
  if (mcp) return { group: "mcp", tools: [`${mcp[1]}__${mcp[2] ?? "*"}`] };
  const own = canonicalToolName(name);
  const group = toolGroups.find(({ tools }) => tools.includes(own)) ?? toolGroups.find((each) => each.name === name);
  return group && { group: group.name, ...(group.name === name ? {} : { tools: [own] }) };
}

const coversAll = (name: GroupName, tools: ReadonlySet<string>): boolean => {
  const facts = toolGroups.find((group) => group.name === name);
  return facts !== undefined && !facts.open && facts.tools.every((tool) => tools.has(tool));
};

/** An expression for the commands in brackets. `git diff:*` and `git diff *` mean a prefix; anything else is the whole command. */
function commandOf(detail: string): string {
  const prefix = /^(.*?)(?::\*| \*|\*)$/s.exec(detail)?.[1];
  if (prefix === undefined) return `^${escaped(detail)}$`;
  return prefix === "" ? "^" : `^${escaped(prefix)}(?:\\s|$)`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
