import type { GroupName, Mode } from "../protocol/mode.ts";
import { actionTable, toolTable } from "../tool/tool-table.ts";

/**
 * A tool group. Its actions are what rules speak of. `names`: what the resources of its actions are, which decides which limits make
 * sense. `open`: the group has tools besides the built-in ones. `listedAs`: names in the tool lists of other agents that mean the
 * whole group, in lower case without `_` and `-`.
 */
export type GroupFacts = {
  name: GroupName;
  title: string;
  description: string;
  actions: readonly string[];
  tools: readonly string[];
  names: "files" | "commands" | "things";
  open?: true;
  listedAs?: readonly string[];
};

/** The tools that enter and leave configuration mode. Modes with tools of MCP servers have them as well. */
export const configurationSwitches: readonly string[] = ["enter-configuration-mode", "exit-configuration-mode"];

const group = (facts: Omit<GroupFacts, "actions" | "tools">): GroupFacts => ({
  ...facts,
  actions: actionTable.filter((action) => action.group === facts.name).map(({ name }) => name),
  tools: toolTable.filter((tool) => tool.group === facts.name).map(({ name }) => name),
});

/** All groups. Rules speak of actions and modes speak of groups; the table of tools joins them. */
export const toolGroups: readonly GroupFacts[] = [
  group({ name: "read", title: "Read", description: "Look at files of the workspace.", names: "files", listedAs: ["codebase"] }),
  group({ name: "edit", title: "Edit", description: "Change files.", names: "files", listedAs: ["editfiles"] }),
  group({ name: "browser", title: "Browser", description: "Read the web.", names: "things", listedAs: ["web"] }),
  group({
    name: "command",
    title: "Command",
    description: "Run programs.",
    names: "commands",
    listedAs: ["bash", "execute", "runcommands", "runinterminal", "runtasks", "terminal", "shell"],
  }),
  group({ name: "mcp", title: "MCP", description: "Use the tools of MCP servers.", names: "things", open: true }),
  group({ name: "coordinator", title: "Coordinator", description: "Choose the mode.", names: "things" }),
  group({
    name: "orchestrate",
    title: "Orchestrate",
    description: "Hand work to other sessions.",
    names: "things",
    listedAs: ["task", "agent"],
  }),
  group({ name: "plan", title: "Plan", description: "Go into and out of planning.", names: "things" }),
  group({ name: "configuration", title: "Configuration", description: "Choose MCP tools.", names: "things" }),
];

/** Tools that find files by their folder. They may search everywhere; each file that they find is judged by itself. */
export const fileSearchTools: readonly string[] = toolTable.filter(({ searches }) => searches).map(({ name }) => name);

/** The names of the groups that a mode has, limited or not. */
export const groupsOf = ({ groups: list }: Pick<Mode, "groups">): GroupName[] =>
  list.map((group) => (typeof group === "string" ? group : group.name));

export const groupOf = (name: GroupName): GroupFacts => {
  const facts = toolGroups.find((group) => group.name === name);
  if (!facts) throw new Error(`no group ${name}`); // GroupName and the table are one list
  return facts;
};
