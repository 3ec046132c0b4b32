import type { Request } from "@baton/core/protocol/request";
import { escapeInvisible } from "@baton/core/text/sanitize";
import {
  hashJson,
  launchHash,
  launchText,
  shellQuoted,
  unsetVariablesText,
  type ServerDefinition,
  type Launch,
} from "./server-definition.ts";
import { compareTools, toolChangesText, type ApprovedTool } from "./tools/tool-changes.ts";
import type { ListedTool } from "./tools/listed-tool.ts";

/** What has been approved of a server: how it is started, and each tool as it was then. `refused` are hashes of what was not. */
export type ServerApproval = { launch?: string | undefined; tools: Readonly<Record<string, ApprovedTool>>; refused: readonly string[] };

/** What a person has to say to a server. `hash` names exactly what is approved. */
export type ServerQuestion = Pick<Request, "header" | "text" | "view"> & { server: string; hash: string; what: "launch" | "tools" };

/**
 * What is to be asked about a server before its tools may be used. A server of the person's own config starts unasked and
 * its tools count as they are first seen; one of a project is asked about before it starts, and before its tools are used;
 * a tool that is not what was approved is asked about in both. `hasLogin`: a person's login is shown to it.
 */
export function approvalQuestion(
  definition: ServerDefinition,
  approval: ServerApproval,
  listed: readonly ListedTool[] | undefined,
  hasLogin: boolean,
): ServerQuestion | undefined {
  if (!mayStartServer(definition, approval)) return launchQuestion(definition, approval, hasLogin);
  return listed ? toolsQuestion(definition, approval, listed) : undefined;
}

export const mayStartServer = (definition: ServerDefinition, { launch }: ServerApproval): boolean =>
  definition.scope === "user" || launch === launchHash(definition);

/** Those of the listed tools that may be used: as approved, or of the person's own server and never seen before. */
export function usableTools({ scope }: ServerDefinition, { tools }: ServerApproval, listed: readonly ListedTool[]): ListedTool[] {
  return listed.filter(({ tool, hash }) => {
    const was = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    return was ? was.hash === hash : scope === "user";
  });
}

function launchQuestion(definition: ServerDefinition, approval: ServerApproval, hasLogin: boolean): ServerQuestion {
  const { name, launch, written, source } = definition;
  const what = launch.kind === "stdio" ? "start this program" : "reach this address";
  return {
    server: name,
    hash: launchHash(definition),
    what: "launch",
    header: approval.launch === undefined ? "Let this MCP server start?" : "This MCP server is another than you approved. Let it start?",
    text: `${source} wants to ${what} as the MCP server ${name}. It runs with your rights, outside of every rule for tools.`,
    view: {
      type: "text",
      format: "plain",
      text: [
        escapeInvisible(launchText(written)),
        ...programLine(launch, written),
        ...(launch.kind === "stdio" ? [`in ${escapeInvisible(shellQuoted(launch.cwd))}`] : []),
        ...givenLines(definition).map(escapeInvisible),
        ...(hasLogin ? ["Your login to this address is sent to it."] : []),
        ...(definition.unset.length === 0 ? [] : [unsetVariablesText(definition)]),
      ].join("\n"),
    },
  };
}

/** Which program a variable stands for is to be seen; of its arguments and of an address it may be a secret. */
const programLine = (launch: Launch, written: Launch): string[] =>
  launch.kind === "stdio" && written.kind === "stdio" && launch.command !== written.command
    ? [`The program is ${escapeInvisible(shellQuoted(launch.command))}.`]
    : [];

/** Values of a file stand there as they are written; those of a client may be secrets, and are named alone. */
function givenLines({ scope, given }: ServerDefinition): string[] {
  const names = Object.keys(given).sort();
  if (names.length === 0) return ["It is given no variables."];
  if (scope === "client") return [`It is given, with values that the client knows: ${names.map(shellQuoted).join(", ")}`];
  return ["It is given:", ...names.map((name) => `  ${shellQuoted(name)}=${cut(given[name] ?? "")}`)];
}

/** What of a value is shown; the answer holds for all of it. */
const MAX_VALUE = 400;

const cut = (value: string): string =>
  value.length <= MAX_VALUE
    ? shellQuoted(value)
    : `${shellQuoted(value.slice(0, MAX_VALUE))}… (the first ${MAX_VALUE} of ${value.length} letters)`;

function toolsQuestion(
  { name, scope }: ServerDefinition,
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
    header: isFirst ? "Let the agent use these tools?" : "These tools are not what was approved. Use them?",
    text: isFirst
      ? `The MCP server ${name} has these tools. Their descriptions are put before the model.`
      : `The MCP server ${name} describes its tools otherwise than before. Until you approve, they are not offered.`,
    view: { type: "text", format: "plain", text: toolChangesText(difference) },
  };
}
