import type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ServerConnection } from "../connection/connection.ts";
import { toolNames } from "../tools/tool-names.ts";
import { isInputRequired, type InputRequired } from "../connection/input-required.ts";
import type { CallOutcome } from "./endpoint-options.ts";
import { outerPart, type Addresses, type ResourceAddress } from "./place.ts";
import { invalidParamsError, noAnswerError } from "./server-error.ts";

/** What a profile lends besides tools, at the moment. */
export type ProxyContext = {
  servers: readonly ServerConnection[];
  /** Undefined: names and addresses say of which server they are. */
  proxied: string | undefined;
  addresses: Addresses;
};

/** Has a call judged, asked about, written down and run. */
export type Run = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<CallOutcome>;
export type May = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<boolean>;

/** All resources of all servers. A server that cannot be asked has none. */
export const resourcesOf = ({ servers, addresses }: ProxyContext): Promise<Resource[]> =>
  ofAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResources({}, { timeout })).resources.map((each) => ({ ...each, uri: addresses.outer({ server, uri: each.uri }) })),
  );

export const templatesOf = ({ servers, addresses }: ProxyContext): Promise<ResourceTemplateType[]> =>
  ofAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResourceTemplates({}, { timeout })).resourceTemplates.map((each) => ({
      ...each,
      uriTemplate: addresses.outer({ server, uri: each.uriTemplate }),
    })),
  );

/** All prompts, each with the server that has it and the name by which the server knows it. */
async function placedPrompts({ servers, proxied }: ProxyContext): Promise<{ server: string; prompt: Prompt; name: string }[]> {
  const found = await ofAll(servers, "prompts", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listPrompts({}, { timeout })).prompts.map((prompt) => ({ server, prompt })),
  );
  const names = toolNames(found.map(({ server, prompt }) => ({ server, tool: prompt.name })));
  return found.map((each, i) => ({ ...each, name: proxied === undefined ? (names[i] ?? "") : each.prompt.name }));
}

export const promptsOf = async (lending: ProxyContext): Promise<Prompt[]> =>
  (await placedPrompts(lending)).map(({ prompt, name }) => ({ ...prompt, name }));

export async function readResource(uri: string, lending: ProxyContext, run: Run): Promise<ReadResourceResult | InputRequired> {
  const { addresses } = lending;
  const place = placeOf(uri, lending);
  const called = await run("read_resource", place);
  const { raw } = called;
  if (isAnswer(raw) && isInputRequired(raw)) return raw;
  if (!isAnswer(raw) || !("contents" in raw)) throw noAnswerError(called, place.server, addresses);
  const { contents } = raw as ReadResourceResult; // it came through the SDK's own schema
  return { contents: contents.map((each) => ({ ...each, uri: addresses.outer({ server: place.server, uri: each.uri }) })) };
}

export async function getPrompt(
  name: string,
  given: Record<string, string>,
  lending: ProxyContext,
  run: Run,
): Promise<GetPromptResult | InputRequired> {
  const { addresses } = lending;
  const { server, prompt } = await promptPlace(name, lending);
  const called = await run("get_prompt", { server, prompt, arguments: given });
  const { raw } = called;
  if (isAnswer(raw) && isInputRequired(raw)) return raw;
  if (!isAnswer(raw) || !("messages" in raw)) throw noAnswerError(called, server, addresses);
  const { messages, description } = raw as GetPromptResult; // it came through the SDK's own schema
  return {
    ...(description === undefined ? {} : { description }),
    messages: messages.map((message) => ({ ...message, content: outerPart(message.content, server, addresses) })),
  };
}

const NOTHING: CompleteResult = { completion: { values: [] } };

/**
 * What a server suggests for an argument. What was typed goes to the server without a question, so only where the rules allow what
 * would follow; else nothing is suggested.
 */
export async function completeArgument(
  { ref, ...params }: CompleteRequestParams,
  lending: ProxyContext,
  may: May,
): Promise<CompleteResult> {
  const isPrompt = ref.type === "ref/prompt";
  const place = isPrompt ? await promptPlace(ref.name, lending) : placeOf(ref.uri, lending);
  if (!(await may(isPrompt ? "get_prompt" : "read_resource", { ...place }))) return NOTHING;
  const connection = lending.servers.find(({ definition }) => definition.name === place.server);
  if (!connection?.has("completions")) return NOTHING;
  const inner = "prompt" in place ? { ...ref, name: place.prompt } : { ...ref, uri: place.uri };
  const client = await connection.client();
  return client.complete({ ref: inner, ...params }, { timeout: connection.definition.timeoutMs });
}

/** Has the listener called when a resource changes, where the rules allow reading it. Gives what ends that; undefined where they do not. */
export async function subscribeResource(
  uri: string,
  lending: ProxyContext,
  may: May,
  listener: (uri: string) => void,
): Promise<(() => void) | undefined> {
  const place = lending.addresses.inner(uri);
  const connection = lending.servers.find(({ definition }) => definition.name === place?.server);
  if (!place || !connection || !(await may("read_resource", place))) return undefined;
  return connection.watch(place.uri, listener);
}

const isAnswer = (raw: unknown): raw is object => typeof raw === "object" && raw !== null && !(raw instanceof Error);

function placeOf(uri: string, { addresses, servers }: ProxyContext): ResourceAddress {
  const place = addresses.inner(uri);
  if (place && place.uri !== "" && servers.some(({ definition }) => definition.name === place.server)) return place;
  throw invalidParamsError(`There is no resource ${uri.slice(0, 200)} here. resources/list lists those there are.`, { uri });
}

async function promptPlace(name: string, lending: ProxyContext): Promise<{ server: string; prompt: string }> {
  const { proxied } = lending;
  if (proxied !== undefined) return { server: proxied, prompt: name };
  const found = (await placedPrompts(lending)).find((each) => each.name === name);
  if (!found) throw invalidParamsError(`There is no prompt ${name.slice(0, 100)} here. prompts/list lists those there are.`);
  return { server: found.server, prompt: found.prompt.name };
}

type Asked = { definition: ServerConnection["definition"]; client: Awaited<ReturnType<ServerConnection["client"]>> };

async function ofAll<T>(
  servers: readonly ServerConnection[],
  what: "resources" | "prompts",
  list: (asked: Asked) => Promise<readonly T[]>,
): Promise<T[]> {
  const asking = servers.map(async (connection) => {
    if (connection.standing.standing === "starting") return []; // clients are told when it is there
    const client = await connection.client();
    return connection.has(what) ? list({ definition: connection.definition, client }) : [];
  });
  const found = await Promise.all(asking.map((each) => each.catch(() => [])));
  return found.flat();
}
