import * as z from "zod";
import { argumentsOf, event, pieces, signatureOf, unpaired, type Format, type WireReply } from "./format.ts";

const Cache = z.object({ type: z.literal("ephemeral") }).optional();
const Picture = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    data: z.base64().min(1),
  }),
});
const Pdf = z.looseObject({
  type: z.literal("document"),
  source: z.strictObject({ type: z.literal("base64"), media_type: z.literal("application/pdf"), data: z.base64().min(1) }),
});
const Text = z.strictObject({ type: z.literal("text"), text: z.string().regex(/\S/), cache_control: Cache });
const Block = z.discriminatedUnion("type", [
  Text,
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    cache_control: Cache,
  }),
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Picture, Pdf])).min(1)]),
    is_error: z.boolean().optional(),
    cache_control: Cache,
  }),
  Picture,
  Pdf,
]);
const Body = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  stream: z.literal(true),
  system: z.array(z.strictObject({ type: z.literal("text"), text: z.string().min(1), cache_control: Cache })),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        input_schema: z.looseObject({ type: z.literal("object") }),
        cache_control: Cache,
      }),
    )
    .default([]),
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(Block).min(1) })).min(1),
});
type Message = z.infer<typeof Body>["messages"][number];

/** Anthropic's messages API. */
export const anthropic: Format = {
  kind: "anthropic",
  model: "claude-sonnet-4-5",
  base: "/v1",
  eventsOf,
  errorIn: (message) => event({ type: "error", error: { type: "overloaded_error", message } }),
  repliesIn: (body) => Body.parse(body).messages.filter(({ role }) => role === "assistant").length,
  faultsOf,
  refusal: (status, message) => ({ type: "error", error: { type: typeOf(status), message }, request_id: "req_1" }),
  overflow: { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
};

const typeOf = (status: number): string =>
  ({
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
  })[status] ?? "api_error";

function eventsOf(
  { reasoning, text, calls = [], finish = calls.length > 0 ? "tool_use" : "end_turn", tokens = 100 }: WireReply,
  k: number,
): string[] {
  const blocks: { type: string }[][] = [];
  const block = (start: unknown, deltas: unknown[]) => {
    const index = blocks.length;
    blocks.push([
      { type: "content_block_start", index, content_block: start } as { type: string },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index } as { type: string },
    ]);
  };
  if (reasoning !== undefined)
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: signatureOf(k) },
    ]);
  if (text !== undefined)
    block(
      { type: "text", text: "" },
      pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    );
  for (const [i, call] of calls.entries())
    block({ type: "tool_use", id: call.id ?? `toolu_${k}_${i}`, name: call.tool, input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      ...pieces(argumentsOf(call)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ]);
  const usage = { input_tokens: tokens - 80, cache_creation_input_tokens: 30, cache_read_input_tokens: 50, output_tokens: 1 };
  const message = {
    id: `msg_${k}`,
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    { type: "message_start", message },
    { type: "ping" },
    ...blocks.flat(),
    ...(finish === null
      ? []
      : [{ type: "message_delta", delta: { stop_reason: finish, stop_sequence: null }, usage: { output_tokens: 10 } }]),
    { type: "message_stop" },
  ].map(event);
}

function faultsOf(body: unknown, replies: readonly WireReply[]): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { messages, system, tools } = parsed.data;
  const marks = JSON.stringify([system, tools, messages]).match(/"cache_control":\{/g)?.length ?? 0;
  const faults = messages.flatMap((message, i) => faultsAt(message, messages[i + 1], i));
  faults.push(
    ...messages.flatMap(({ role }, i) => (role === (i % 2 === 0 ? "user" : "assistant") ? [] : [`message ${i}: roles do not alternate`])),
  );
  if (marks > 4) faults.push(`${marks} cache marks`);
  if (!system.at(-1)?.cache_control || (tools.length > 0 && !tools.at(-1)?.cache_control))
    faults.push("system or tools end without a cache mark");
  if (!messages.at(-1)?.content.some((block) => "cache_control" in block && block.cache_control))
    faults.push("the last message has no cache mark");
  const fromModel = messages.filter(({ role }) => role === "assistant");
  return [...faults, ...fromModel.flatMap(({ content }, k) => thoughtFaults(content, replies[k], k))];
}

function faultsAt({ role, content }: Message, following: Message | undefined, i: number): string[] {
  if (role === "user")
    return content.some(({ type }) => type === "tool_use" || type === "thinking") ? [`message ${i}: a user cannot call`] : [];
  const calls = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  const results = (following?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
  const first = following?.content.slice(0, results.length).every(({ type }) => type === "tool_result") ?? true;
  return [...unpaired(calls, results, `message ${i}`), ...(first ? [] : [`message ${i + 1}: results have to come first`])];
}

/** Thinking blocks come first, word for word, with their signature. */
function thoughtFaults(content: Message["content"], reply: WireReply | undefined, k: number): string[] {
  if (reply?.reasoning === undefined) return [];
  const [first] = content;
  const same = first?.type === "thinking" && first.thinking === reply.reasoning && first.signature === signatureOf(k);
  return same ? [] : [`reply ${k}: its thinking is not as it was`];
}
