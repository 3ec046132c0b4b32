import type { ToolCatalog } from "@baton/core/toolset/catalog";
import { isToolsetTool } from "@baton/core/toolset/definition";
import { failure, suggested, type Failure } from "@baton/core/toolset/failure";
import { createListing, searchTools, type SearchTool } from "@baton/core/toolset/listing";
import type { ToolsetState } from "@baton/core/toolset/toolset-state";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CatalogueTool } from "../server-manager.ts";
import { isInputRequired, type InputRequired } from "../connection/input-required.ts";
import type { CallOutcome } from "./endpoint-options.ts";
import { outerContent, type Addresses } from "./place.ts";
import { describeTool, findTools } from "./search.ts";
import { invalidParamsError, serverError } from "./server-error.ts";

export type CallRequest = {
  standing: ToolsetState;
  catalogue: ToolCatalog;
  known: readonly CatalogueTool[];
  addresses: Addresses;
  /** Has the call judged, asked about, written down and run. */
  run: (tool: string, input: unknown) => Promise<CallOutcome>;
};

/** One call of a client. What is not listed is not run, and the answer says why and what leads on. */
export async function answerCall(
  tool: string,
  input: Record<string, unknown>,
  calling: CallRequest,
): Promise<CallToolResult | InputRequired> {
  if (calling.standing.policy === "proxy") return ofProxy(tool, input, calling);
  if (isToolsetTool(tool)) return ofToolset(await calling.run(tool, input));
  if (isSearchTool(tool) && calling.standing.policy === "search") return search(tool, input, calling);
  const { chosen } = createListing(calling.standing, calling.catalogue);
  const found = chosen.find((each) => each.tool.name === tool);
  return found ? ofServer(await calling.run(tool, input), found.tool.server, calling) : said(notThere(tool, calling));
}

/** A call of a server's own tool by the server's own name: what the server answers goes back as it is, its errors too. */
async function ofProxy(tool: string, input: Record<string, unknown>, calling: CallRequest): Promise<CallToolResult | InputRequired> {
  const { standing, catalogue, addresses } = calling;
  const found = createListing(standing, catalogue).chosen.find((each) => each.tool.tool === tool);
  if (!found) throw invalidParamsError(`There is no tool ${tool.slice(0, 100)}. tools/list lists those there are.`);
  const called = await calling.run(found.tool.name, input);
  const error = serverError(called, found.tool.server, addresses);
  if (error) throw error;
  return ofServer(called, found.tool.server, calling);
}

const isSearchTool = (tool: string): tool is SearchTool => searchTools.some((name) => name === tool);

async function search(tool: SearchTool, input: Record<string, unknown>, calling: CallRequest): Promise<CallToolResult | InputRequired> {
  const { standing, catalogue, known } = calling;
  const { chosen } = createListing({ ...standing, policy: "dual", configuring: false }, catalogue);
  const wanted = typeof input["name"] === "string" ? input["name"] : "";
  const found = chosen.find((each) => each.tool.name === wanted);
  const listed = known.find(({ name }) => name === wanted);
  switch (tool) {
    case "find-tools":
      return said(
        findTools(
          chosen,
          typeof input["query"] === "string" ? input["query"] : "",
          typeof input["limit"] === "number" ? input["limit"] : undefined,
        ),
      );
    case "describe-tool":
      return said(found && listed ? describeTool(found, listed) : notThere(wanted, calling));
    case "call-tool":
      return found
        ? ofServer(await calling.run(wanted, input["arguments"] ?? {}), found.tool.server, calling)
        : said(notThere(wanted, calling));
  }
}

function notThere(tool: string, { standing, catalogue }: CallRequest): Failure {
  const isEquipped = standing.equipped?.tools.some(({ name }) => name === tool) ?? false;
  if (isEquipped && standing.policy === "dual" && standing.configuring)
    return failure("unavailable", `${tool} is hidden in configuration mode. Call exit-configuration-mode, then call it again.`, [
      "exit-configuration-mode",
    ]);
  if (isEquipped)
    return failure("unavailable", `${tool} is not there now, or is not what it was when it was chosen. get-active-toolset says which.`, [
      "get-active-toolset",
    ]);
  if (catalogue.tools.some(({ name }) => name === tool))
    return failure("not_in_toolset", `${tool} is in no toolset that is equipped. Build one with it and equip it.`, [
      "build-toolset",
      "equip-toolset",
    ]);
  return failure(
    "not_found",
    `There is no tool ${tool.slice(0, 100)}.`,
    suggested(
      tool,
      createListing(standing, catalogue).chosen.map((each) => each.tool.name),
    ),
  );
}

/** The same answer for programs and, as text, for models. */
const said = (answer: { ok: boolean } & Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: answer,
  ...(answer.ok ? {} : { isError: true }),
});

function ofToolset({ result }: CallOutcome): CallToolResult {
  if (result.text.startsWith("{")) return said(JSON.parse(result.text) as { ok: boolean }); // written by our own tools
  const code = result.outcome === "denied" ? "denied" : result.text.startsWith("The arguments of") ? "invalid_argument" : "unavailable";
  return said(failure(code, result.text));
}

/** What the server answered, as it was but for addresses; or why it was not asked. */
function ofServer({ result, raw }: CallOutcome, server: string, { addresses }: CallRequest): CallToolResult | InputRequired {
  if (typeof raw === "object" && raw !== null && isInputRequired(raw)) return raw;
  const isAnswer = typeof raw === "object" && raw !== null && "content" in raw;
  if (!isAnswer) return { content: [{ type: "text", text: result.text }], ...(result.outcome === "ok" ? {} : { isError: true }) };
  const { content, structuredContent, isError } = raw as CallToolResult; // it came through the SDK's own schema
  return {
    content: outerContent(content, server, addresses),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  };
}
