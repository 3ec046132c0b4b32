import type { ApprovedTool } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import { escapeInvisible } from "@baton/core/text/sanitize";
import {
  hashJson,
  launchHash,
  launchText,
  shellQuoted,
  unsetVariablesText,
  type McpServerDefinition,
  type ServerLaunch,
} from "./server-definition.ts";
import { compareTools, toolChangesText } from "./tools/approved-tool-changes.ts";
import type { ListedTool } from "./tools/listed-tool.ts";

/** The approvals of a server: its launch, and each tool as it was approved. `refused`: the hashes that the user refused. */
export type ServerApproval = { launch?: string | undefined; tools: Readonly<Record<string, ApprovedTool>>; refused: readonly string[] };

/** A question about a server. `hash` identifies exactly what would be approved. */
export type ServerQuestion = Pick<Request, "header" | "text" | "view"> & { server: string; hash: string; what: "launch" | "tools" };

/**
 * The question that must be answered before the tools of a server may be used. The user's own server starts without asking, and its tools
 * are approved when they are first seen. For a project's server Baton asks before the start and before the first use of its tools. A changed
 * tool needs approval in both cases. `hasLogin`: the user's login is sent to the server.
 */
export function approvalQuestion(
  definition: McpServerDefinition,
  approval: ServerApproval,
  listed: readonly ListedTool[] | undefined,
  hasLogin: boolean,
): ServerQuestion | undefined {
  if (!mayStartServer(definition, approval)) return launchQuestion(definition, approval, hasLogin);
  return listed ? toolsQuestion(definition, approval, listed) : undefined;
}

export const mayStartServer = (definition: McpServerDefinition, { launch }: ServerApproval): boolean =>
  definition.scope === "user" || launch === launchHash(definition);

/** The usable tools: approved ones and, for the user's own server, new ones. */
export function usableTools({ scope }: McpServerDefinition, { tools }: ServerApproval, listed: readonly ListedTool[]): ListedTool[] {
  return listed.filter(({ tool, hash }) => {
    const was = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    return was ? was.hash === hash : scope === "user";
  });
}

function launchQuestion(definition: McpServerDefinition, approval: ServerApproval, hasLogin: boolean): ServerQuestion {
  const { name, launch, written, source } = definition;
  const what = launch.kind === "stdio" ? "start this program" : "reach this address";
  return {
    server: name,
    hash: launchHash(definition),
    what: "launch",
    header: headerOf(launch.kind === "stdio" ? "Start" : "Connect to", approval),
    text: `${source} wants to ${what} as the MCP server ${name}. ${rightsText(launch)}`,
    view: {
      type: "text",
      format: "plain",
      text: [
        escapeInvisible(launchText(written)),
        ...programLine(launch, written),
        ...(launch.kind === "stdio" ? [`in ${escapeInvisible(shellQuoted(launch.cwd))}`, ...sandboxLines(launch)] : []),
        ...(launch.kind === "stdio" || Object.keys(definition.variables).length > 0 ? variableLines(definition).map(escapeInvisible) : []),
        ...(hasLogin ? ["Your login for this address is sent to it."] : []),
        ...(definition.unset.length === 0 ? [] : [unsetVariablesText(definition)]),
      ].join("\n"),
    },
  };
}

const headerOf = (verb: string, { launch }: ServerApproval): string =>
  launch === undefined ? `${verb} this MCP server?` : `This MCP server has changed since you approved it. ${verb} it?`;

function rightsText(launch: ServerLaunch): string {
  if (launch.kind !== "stdio") return "It gets the arguments of the calls that you allow, and acts outside of all rules for tools.";
  return `It runs ${launch.sandbox ? "in the sandbox" : "with your permissions"}, outside of all rules for tools.`;
}

function sandboxLines({ sandbox }: Extract<ServerLaunch, { kind: "stdio" }>): string[] {
  if (!sandbox) return [];
  const { reads = [], writes = [], hosts = [] } = sandbox;
  const list = (words: readonly string[]) => (words.length === 0 ? "nothing" : words.map(shellQuoted).join(", "));
  return [`In the sandbox it also reads ${list(reads)}, writes ${list(writes)} and reaches ${list(hosts)}.`].map(escapeInvisible);
}

/** The program behind a variable is shown. Values of arguments and addresses are hidden, because they may be secrets. */
const programLine = (launch: ServerLaunch, written: ServerLaunch): string[] =>
  launch.kind === "stdio" && written.kind === "stdio" && launch.command !== written.command
    ? [`The program is ${escapeInvisible(shellQuoted(launch.command))}.`]
    : [];

/** Values from a file are shown as they are written. Of a client's values only the names are shown, because they may be secrets. */
function variableLines({ scope, variables }: McpServerDefinition): string[] {
  const names = Object.keys(variables).sort();
  if (names.length === 0) return ["It gets no variables."];
  if (scope === "client") return [`It gets these variables with the client's values: ${names.map(shellQuoted).join(", ")}`];
  return ["It gets:", ...names.map((name) => `  ${shellQuoted(name)}=${cut(variables[name] ?? "")}`)];
}

/** The number of characters of a value that are shown. The approval covers the whole value. */
const MAX_VALUE = 400;

const cut = (value: string): string =>
  value.length <= MAX_VALUE
    ? shellQuoted(value)
    : `${shellQuoted(value.slice(0, MAX_VALUE))}… (the first ${MAX_VALUE} of ${value.length} characters)`;

function toolsQuestion(
  { name, scope }: McpServerDefinition,
  { tools }: ServerApproval,
  listed: readonly ListedTool[],
): ServerQuestion | undefined {
  const { fresh, changed } = compareTools(listed, tools);
  const difference = { changed, fresh: scope === "user" ? [] : fresh };
  if (changed.length + difference.fresh.length === 0) return undefined;
  const isFirst = Object.keys(tools).length === 0;
  return {
    server: name,
    hash: hashJson(listed.map(({ tool, hash }) => [tool, hash])),
    what: "tools",
    header: isFirst ? "Let the agent use these tools?" : "These tools have changed since you approved them. Use them?",
    text: isFirst
      ? `The MCP server ${name} has these tools. The model reads their descriptions.`
      : `The MCP server ${name} has changed the descriptions of these tools. The agent cannot use them until you approve.`,
    view: { type: "text", format: "plain", text: toolChangesText(difference) },
  };
}
