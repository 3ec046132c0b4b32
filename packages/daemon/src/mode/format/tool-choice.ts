import { groups, toolName } from "@baton/core/mode/tool-groups";
import type { Group, GroupName } from "@baton/core/protocol/mode";
import type { ReadContext } from "../read-context.ts";

/** What a tool of another program is here: a whole group, or some tools of one. Names in small letters. */
const FOREIGN: Record<string, { group: GroupName; tools?: readonly string[] } | null> = {
  // Claude Code
  read: { group: "read", tools: ["read_file"] },
  grep: { group: "read", tools: ["search_text"] },
  glob: { group: "read", tools: ["glob", "list_files"] },
  ls: { group: "read", tools: ["list_files"] },
  edit: { group: "edit", tools: ["edit_file", "apply_patch"] },
  multiedit: { group: "edit", tools: ["edit_file", "apply_patch"] },
  write: { group: "edit", tools: ["write_file"] },
  notebookread: { group: "read", tools: ["read_file"] },
  notebookedit: { group: "edit", tools: ["edit_file"] },
  bash: { group: "command" },
  bashoutput: { group: "command", tools: ["command_output"] },
  killshell: { group: "command", tools: ["stop_command"] },
  webfetch: { group: "browser", tools: ["fetch_url"] },
  websearch: { group: "browser", tools: ["web_search"] },
  task: { group: "orchestrate" },
  agent: { group: "orchestrate" },
  // opencode
  list: { group: "read", tools: ["list_files"] },
  patch: { group: "edit", tools: ["apply_patch"] },
  // VS Code
  search: { group: "read", tools: ["search_text", "glob", "list_files"] },
  codebase: { group: "read" },
  usages: { group: "read", tools: ["search_text"] },
  findtestfiles: { group: "read", tools: ["glob"] },
  filesearch: { group: "read", tools: ["glob"] },
  textsearch: { group: "read", tools: ["search_text"] },
  listdirectory: { group: "read", tools: ["list_files"] },
  readfile: { group: "read", tools: ["read_file"] },
  editfiles: { group: "edit" },
  createfile: { group: "edit", tools: ["write_file"] },
  execute: { group: "command" },
  runcommands: { group: "command" },
  runinterminal: { group: "command" },
  runtasks: { group: "command" },
  terminal: { group: "command" },
  shell: { group: "command" },
  fetch: { group: "browser", tools: ["fetch_url"] },
  web: { group: "browser" },
  // Of no use for groups: every mode has them, or nobody here does.
  todowrite: null,
  todoread: null,
  todo: null,
  todos: null,
  askuserquestion: null,
  question: null,
  skill: null,
  exitplanmode: null,
};

/** A tool that another program lists: its name, and what stands in brackets behind it. */
export type ListedTool = { at: number; name: string; detail?: string };

/** `Bash(git *)` in its parts. */
export function parseListedTool({ at, text }: { at: number; text: string }): ListedTool {
  const [, name = text, detail] = /^([^(]+)\((.*)\)$/.exec(text) ?? [];
  return { at, name: name.trim(), ...(detail === undefined ? {} : { detail }) };
}

/** The groups that a list of foreign tools comes to. What is not known here is left out, with a warning. */
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
      reading.warn(tool.at, "unknown_tool", `The tool ${JSON.stringify(tool.name.slice(0, 60))} is not known here; it is left out.`);
    if (!meant) continue;
    add(meant.group, meant.tools);
    if (meant.group === "command" && tool.detail !== undefined) commands.push(commandOf(tool.detail));
  }
  const all = listed.some(({ name, detail }) => meaningOf(name)?.group === "command" && detail === undefined);
  return [...chosen].map(([name, tools]): Group => {
    const commandRegex = name === "command" && commands.length > 0 && !all ? commands.join("|") : undefined;
    const only = tools === "whole" || coversAll(name, tools) ? undefined : [...tools];
    if (commandRegex === undefined && only === undefined) return name;
    return { name, ...(only === undefined ? {} : { tools: only }), ...(commandRegex === undefined ? {} : { commandRegex }) };
  });
}

function meaningOf(name: string): { group: GroupName; tools?: readonly string[] } | null | undefined {
  const known =
    FOREIGN[
      name
        .toLowerCase()
        .replace(/[_-]/g, "")
        .replace(/^.*\//, (start) => (start.startsWith("mcp") ? start : ""))
    ];
  if (known !== undefined) return known;
  const mcp = /^mcp__([\w-]+?)(?:__(.+))?$/.exec(name) ?? /^([\w.-]+)\/(.+)$/.exec(name);
  if (mcp) return { group: "mcp", tools: [`${mcp[1]}__${mcp[2] ?? "*"}`] };
  const own = toolName(name);
  const group = groups.find(({ tools }) => tools.includes(own)) ?? groups.find((each) => each.name === name);
  return group && { group: group.name, ...(group.name === name ? {} : { tools: [own] }) };
}

const coversAll = (name: GroupName, tools: ReadonlySet<string>): boolean => {
  const facts = groups.find((group) => group.name === name);
  return facts !== undefined && !facts.open && facts.tools.every((tool) => tools.has(tool));
};

/** `git diff:*` and `git diff *` begin with these words; anything else is the whole command. */
function commandOf(detail: string): string {
  const prefix = /^(.*?)(?::\*| \*|\*)$/s.exec(detail)?.[1];
  return prefix === undefined ? `^${escaped(detail)}$` : prefix === "" ? "^" : `^${escaped(prefix)}(?:\\s|$)`;
}

export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
