import { omitUndefined } from "@baton/core/text/omit-undefined";
import type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ServerConnection } from "../connection/server-connection.ts";
import { toolNames } from "../tools/tool-names.ts";
import { isInputRequired, type InputRequired } from "../connection/input-required.ts";
import type { CallOutcome } from "./endpoint-options.ts";
import { withClientUris, type ResourceAddresses, type ResourceAddress } from "./resource-address.ts";
import { invalidParamsError, noAnswerError } from "./protocol-errors.ts";

/** The resources and prompts that a profile currently exposes. */
export type ProxyContext = {
  servers: readonly ServerConnection[];
  /** Undefined: names and addresses contain the server. */
  proxied: string | undefined;
  addresses: ResourceAddresses;
};

/** Judges a call, asks the user, records and executes it. */
export type RunProxiedCall = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<CallOutcome>;
export type AccessCheck = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<boolean>;

/** All resources of all servers. A server that cannot be reached has none. */
export const resourcesOf = ({ servers, addresses }: ProxyContext): Promise<Resource[]> =>
  queryAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResources({}, { timeout })).resources.map((each) => ({
      ...each,
      uri: addresses.toClient({ server, uri: each.uri }),
    })),
  );

export const templatesOf = ({ servers, addresses }: ProxyContext): Promise<ResourceTemplateType[]> =>
  queryAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResourceTemplates({}, { timeout })).resourceTemplates.map((each) => ({
      ...each,
      uriTemplate: addresses.toClient({ server, uri: each.uriTemplate }),
    })),
  );

/** All prompts with their server and the server's own name for them. */
async function promptsWithServer({ servers, proxied }: ProxyContext): Promise<{ server: string; prompt: Prompt; name: string }[]> {
  const found = await queryAll(servers, "prompts", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listPrompts({}, { timeout })).prompts.map((prompt) => ({ server, prompt })),
  );
  const names = toolNames(found.map(({ server, prompt }) => ({ server, tool: prompt.name })));
  return found.map((each, i) => ({ ...each, name: proxied === undefined ? (names[i] ?? "") : each.prompt.name }));
}

export const promptsOf = async (context: ProxyContext): Promise<Prompt[]> =>
  (await promptsWithServer(context)).map(({ prompt, name }) => ({ ...prompt, name }));

export async function readProxiedResource(
  uri: string,
  context: ProxyContext,
  run: RunProxiedCall,
): Promise<ReadResourceResult | InputRequired> {
  const { addresses } = context;
  const place = findResource(uri, context);
  const called = await run("read_resource", place);
  const { raw } = called;
  if (isAnswer(raw) && isInputRequired(raw)) return raw;
  if (!isAnswer(raw) || !("contents" in raw)) throw noAnswerError(called, place.server, addresses);
  const { contents } = raw as ReadResourceResult; // the SDK has checked it
  return { contents: contents.map((each) => ({ ...each, uri: addresses.toClient({ server: place.server, uri: each.uri }) })) };
}

export async function getProxiedPrompt(
  name: string,
  promptArguments: Record<string, string>,
  context: ProxyContext,
  run: RunProxiedCall,
): Promise<GetPromptResult | InputRequired> {
  const { addresses } = context;
  const { server, prompt } = await findPrompt(name, context);
  const called = await run("get_prompt", { server, prompt, arguments: promptArguments });
  const { raw } = called;
  if (isAnswer(raw) && isInputRequired(raw)) return raw;
  if (!isAnswer(raw) || !("messages" in raw)) throw noAnswerError(called, server, addresses);
  const { messages, description } = raw as GetPromptResult; // the SDK has checked it
  return {
    ...omitUndefined({ description }),
    messages: messages.map((message) => ({ ...message, content: withClientUris(message.content, server, addresses) })),
  };
}

const NO_SUGGESTIONS: CompleteResult = { completion: { values: [] } };

/**
 * A server's suggestions for an argument. The typed text goes to the server without asking, so Baton only does so if the rules would allow
 * the following call. Otherwise there are no suggestions.
 */
export async function completeArgument(
  { ref, ...params }: CompleteRequestParams,
  context: ProxyContext,
  may: AccessCheck,
): Promise<CompleteResult> {
  const isPrompt = ref.type === "ref/prompt";
  const place = isPrompt ? await findPrompt(ref.name, context) : findResource(ref.uri, context);
  if (!(await may(isPrompt ? "get_prompt" : "read_resource", { ...place }))) return NO_SUGGESTIONS;
  const connection = context.servers.find(({ definition }) => definition.name === place.server);
  if (!connection?.has("completions")) return NO_SUGGESTIONS;
  const inner = "prompt" in place ? { ...ref, name: place.prompt } : { ...ref, uri: place.uri };
  const client = await connection.client();
  return client.complete({ ref: inner, ...params }, { timeout: connection.definition.timeoutMs });
}

/** Calls the listener when a resource changes. Returns a function that ends that. Undefined if the rules do not allow reading it. */
export async function subscribeResource(
  uri: string,
  context: ProxyContext,
  may: AccessCheck,
  listener: (uri: string) => void,
): Promise<(() => void) | undefined> {
  const place = context.addresses.fromClient(uri);
  const connection = context.servers.find(({ definition }) => definition.name === place?.server);
  if (!place || !connection || !(await may("read_resource", place))) return undefined;
  return connection.watch(place.uri, listener);
}

const isAnswer = (raw: unknown): raw is object => typeof raw === "object" && raw !== null && !(raw instanceof Error);

function findResource(uri: string, { addresses, servers }: ProxyContext): ResourceAddress {
  const place = addresses.fromClient(uri);
  if (place && place.uri !== "" && servers.some(({ definition }) => definition.name === place.server)) return place;
  throw invalidParamsError(`There is no resource ${uri.slice(0, 200)}. resources/list lists the resources.`, { uri });
}

async function findPrompt(name: string, context: ProxyContext): Promise<{ server: string; prompt: string }> {
  const { proxied } = context;
  if (proxied !== undefined) return { server: proxied, prompt: name };
  const found = (await promptsWithServer(context)).find((each) => each.name === name);
  if (!found) throw invalidParamsError(`There is no prompt ${name.slice(0, 100)}. prompts/list lists the prompts.`);
  return { server: found.server, prompt: found.prompt.name };
}

type ReachedServer = { definition: ServerConnection["definition"]; client: Awaited<ReturnType<ServerConnection["client"]>> };

async function queryAll<T>(
  servers: readonly ServerConnection[],
  what: "resources" | "prompts",
  list: (asked: ReachedServer) => Promise<readonly T[]>,
): Promise<T[]> {
  const asking = servers.map(async (connection) => {
    if (connection.state.status === "starting") return []; // clients are notified when it is ready
    const client = await connection.client();
    return connection.has(what) ? list({ definition: connection.definition, client }) : [];
  });
  const found = await Promise.all(asking.map((each) => each.catch(() => [])));
  return found.flat();
}
