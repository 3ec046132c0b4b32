import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import { isToolsetTool } from "@baton/core/toolset/toolset-inputs";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "@baton/core/toolset/toolset-tool-failure";
import { exposedTools, toolSearchTools, type SearchTool } from "@baton/core/toolset/exposed-tools";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ServerTool } from "../server-manager.ts";
import { isInputRequired, type InputRequired } from "../connection/input-required.ts";
import type { CallOutcome } from "./endpoint-options.ts";
import { contentWithClientAddresses, type ResourceAddresses } from "./resource-address.ts";
import { describeTool, findTools } from "./search-tools.ts";
import { invalidParamsError, serverError } from "./protocol-errors.ts";

type CallRequest = {
  toolsetState: ToolsetState;
  catalog: ToolCatalog;
  known: readonly ServerTool[];
  addresses: ResourceAddresses;
  /** Judges the call, asks the user, records and executes it. */
  run: (tool: string, input: unknown) => Promise<CallOutcome>;
};

/** Answers a client's call. A tool that is not listed is not called; the answer says why and what to do. */
export async function answerCall(
  tool: string,
  input: Record<string, unknown>,
  calling: CallRequest,
): Promise<CallToolResult | InputRequired> {
  if (calling.toolsetState.policy === "proxy") return callProxiedTool(tool, input, calling);
  if (isToolsetTool(tool)) return toolsetAnswer(await calling.run(tool, input));
  if (isSearchTool(tool) && calling.toolsetState.policy === "search") return search(tool, input, calling);
  const { chosen } = exposedTools(calling.toolsetState, calling.catalog);
  const found = chosen.find((each) => each.tool.name === tool);
  return found ? serverAnswer(await calling.run(tool, input), found.tool.server, calling) : toCallResult(explainUnlisted(tool, calling));
}

/** A call of a proxied server's tool under the server's own name. The server's answers and errors are returned unchanged. */
async function callProxiedTool(
  tool: string,
  input: Record<string, unknown>,
  calling: CallRequest,
): Promise<CallToolResult | InputRequired> {
  const { toolsetState, catalog, addresses } = calling;
  const found = exposedTools(toolsetState, catalog).chosen.find((each) => each.tool.tool === tool);
  if (!found) throw invalidParamsError(`There is no tool ${tool.slice(0, 100)}. tools/list lists the tools.`);
  const called = await calling.run(found.tool.name, input);
  const error = serverError(called, found.tool.server, addresses);
  if (error) throw error;
  return serverAnswer(called, found.tool.server, calling);
}

const isSearchTool = (tool: string): tool is SearchTool => toolSearchTools.some((name) => name === tool);

async function search(tool: SearchTool, input: Record<string, unknown>, calling: CallRequest): Promise<CallToolResult | InputRequired> {
  const { toolsetState, catalog, known } = calling;
  const { chosen } = exposedTools({ ...toolsetState, policy: "dual", configuring: false }, catalog);
  const wanted = typeof input["name"] === "string" ? input["name"] : "";
  const found = chosen.find((each) => each.tool.name === wanted);
  const listed = known.find(({ name }) => name === wanted);
  switch (tool) {
    case "find-tools":
      return toCallResult(
        findTools(
          chosen,
          typeof input["query"] === "string" ? input["query"] : "",
          typeof input["limit"] === "number" ? input["limit"] : undefined,
        ),
      );
    case "describe-tool":
      return toCallResult(found && listed ? describeTool(found, listed) : explainUnlisted(wanted, calling));
    case "call-tool":
      return found
        ? serverAnswer(await calling.run(wanted, input["arguments"] ?? {}), found.tool.server, calling)
        : toCallResult(explainUnlisted(wanted, calling));
  }
}

function explainUnlisted(tool: string, { toolsetState, catalog }: CallRequest): ToolsetFailure {
  const isEquipped = toolsetState.equipped?.tools.some(({ name }) => name === tool) ?? false;
  if (isEquipped && toolsetState.policy === "dual" && toolsetState.configuring)
    return toolsetFailure("unavailable", `${tool} is hidden in configuration mode. Call exit-configuration-mode, then call it again.`, [
      "exit-configuration-mode",
    ]);
  if (isEquipped)
    return toolsetFailure("unavailable", `${tool} is unavailable or has changed since it was selected. get-active-toolset shows which.`, [
      "get-active-toolset",
    ]);
  if (catalog.tools.some(({ name }) => name === tool))
    return toolsetFailure(
      "not_in_toolset",
      `${tool} is not in the equipped toolset. Build a toolset that contains it, and equip that toolset.`,
      ["build-toolset", "equip-toolset"],
    );
  return toolsetFailure(
    "not_found",
    `There is no tool ${tool.slice(0, 100)}.`,
    suggestNames(
      tool,
      exposedTools(toolsetState, catalog).chosen.map((each) => each.tool.name),
    ),
  );
}

/** The answer as structured content for programs and as text for models. */
const toCallResult = (answer: { ok: boolean } & Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: answer,
  ...(answer.ok ? {} : { isError: true }),
});

function toolsetAnswer({ result }: CallOutcome): CallToolResult {
  if (result.text.startsWith("{")) return toCallResult(JSON.parse(result.text) as { ok: boolean }); // written by Baton's own tools
  const failedCode = result.text.startsWith("The arguments of") ? "invalid_argument" : "unavailable";
  const code = result.outcome === "denied" ? "denied" : failedCode;
  return toCallResult(toolsetFailure(code, result.text));
}

/** The server's answer with client addresses, or the reason why the server was not called. */
function serverAnswer({ result, raw }: CallOutcome, server: string, { addresses }: CallRequest): CallToolResult | InputRequired {
  if (typeof raw === "object" && raw !== null && isInputRequired(raw)) return raw;
  const isAnswer = typeof raw === "object" && raw !== null && "content" in raw;
  if (!isAnswer) return { content: [{ type: "text", text: result.text }], ...(result.outcome === "ok" ? {} : { isError: true }) };
  const { content, structuredContent, isError } = raw as CallToolResult; // the SDK has checked it
  return {
    content: contentWithClientAddresses(content, server, addresses),
    ...omitUndefined({ structuredContent, isError }),
  };
}
