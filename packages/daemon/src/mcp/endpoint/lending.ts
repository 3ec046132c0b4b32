import type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Connection } from "../connection/connection.ts";
import { namesOf } from "../tools/tool-names.ts";
import { asksClient, type AsksClient } from "../connection/input-required.ts";
import type { Called } from "./endpoint-options.ts";
import { outerPart, type Addresses, type Place } from "./place.ts";
import { invalid, noAnswer } from "./server-error.ts";

/** What a profile lends besides tools, at the moment. */
export type Lending = {
  servers: readonly Connection[];
  /** Undefined: names and addresses say of which server they are. */
  proxied: string | undefined;
  addresses: Addresses;
};

/** Has a call judged, asked about, written down and run. */
export type Run = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<Called>;
export type May = (tool: "read_resource" | "get_prompt", input: Record<string, unknown>) => Promise<boolean>;

/** All resources of all servers. A server that cannot be asked has none. */
export const resourcesOf = ({ servers, addresses }: Lending): Promise<Resource[]> =>
  ofAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResources({}, { timeout })).resources.map((each) => ({ ...each, uri: addresses.outer({ server, uri: each.uri }) })),
  );

export const templatesOf = ({ servers, addresses }: Lending): Promise<ResourceTemplateType[]> =>
  ofAll(servers, "resources", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listResourceTemplates({}, { timeout })).resourceTemplates.map((each) => ({
      ...each,
      uriTemplate: addresses.outer({ server, uri: each.uriTemplate }),
    })),
  );

/** All prompts, each with the server that has it and the name by which the server knows it. */
async function placedPrompts({ servers, proxied }: Lending): Promise<{ server: string; prompt: Prompt; name: string }[]> {
  const found = await ofAll(servers, "prompts", async ({ definition: { name: server, timeoutMs: timeout }, client }) =>
    (await client.listPrompts({}, { timeout })).prompts.map((prompt) => ({ server, prompt })),
  );
  const names = namesOf(found.map(({ server, prompt }) => ({ server, tool: prompt.name })));
  return found.map((each, i) => ({ ...each, name: proxied === undefined ? (names[i] ?? "") : each.prompt.name }));
}

export const promptsOf = async (lending: Lending): Promise<Prompt[]> =>
  (await placedPrompts(lending)).map(({ prompt, name }) => ({ ...prompt, name }));

export async function readLent(uri: string, lending: Lending, run: Run): Promise<ReadResourceResult | AsksClient> {
  const { addresses } = lending;
  const place = placeOf(uri, lending);
  const called = await run("read_resource", place);
  const { raw } = called;
  if (isAnswer(raw) && asksClient(raw)) return raw;
  if (!isAnswer(raw) || !("contents" in raw)) throw noAnswer(called, place.server, addresses);
  const { contents } = raw as ReadResourceResult; // it came through the SDK's own schema
  return { contents: contents.map((each) => ({ ...each, uri: addresses.outer({ server: place.server, uri: each.uri }) })) };
}

export async function getLent(
  name: string,
  given: Record<string, string>,
  lending: Lending,
  run: Run,
): Promise<GetPromptResult | AsksClient> {
  const { addresses } = lending;
  const { server, prompt } = await promptPlace(name, lending);
  const called = await run("get_prompt", { server, prompt, arguments: given });
  const { raw } = called;
  if (isAnswer(raw) && asksClient(raw)) return raw;
  if (!isAnswer(raw) || !("messages" in raw)) throw noAnswer(called, server, addresses);
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
export async function completeLent({ ref, ...params }: CompleteRequestParams, lending: Lending, may: May): Promise<CompleteResult> {
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
export async function watchLent(
  uri: string,
  lending: Lending,
  may: May,
  listener: (uri: string) => void,
): Promise<(() => void) | undefined> {
  const place = lending.addresses.inner(uri);
  const connection = lending.servers.find(({ definition }) => definition.name === place?.server);
  if (!place || !connection || !(await may("read_resource", place))) return undefined;
  return connection.watch(place.uri, listener);
}

const isAnswer = (raw: unknown): raw is object => typeof raw === "object" && raw !== null && !(raw instanceof Error);

function placeOf(uri: string, { addresses, servers }: Lending): Place {
  const place = addresses.inner(uri);
  if (place && place.uri !== "" && servers.some(({ definition }) => definition.name === place.server)) return place;
  throw invalid(`There is no resource ${uri.slice(0, 200)} here. resources/list lists those there are.`, { uri });
}

async function promptPlace(name: string, lending: Lending): Promise<{ server: string; prompt: string }> {
  const { proxied } = lending;
  if (proxied !== undefined) return { server: proxied, prompt: name };
  const found = (await placedPrompts(lending)).find((each) => each.name === name);
  if (!found) throw invalid(`There is no prompt ${name.slice(0, 100)} here. prompts/list lists those there are.`);
  return { server: found.server, prompt: found.prompt.name };
}

type Asked = { definition: Connection["definition"]; client: Awaited<ReturnType<Connection["client"]>> };

async function ofAll<T>(
  servers: readonly Connection[],
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
