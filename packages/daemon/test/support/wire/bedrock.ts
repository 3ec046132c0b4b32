import * as z from "zod";
import { argumentsOf, pieces, signatureOf, unpaired, type Format, type WireReply } from "./format.ts";
import { frame } from "./event-stream.ts";

const CachePoint = z.strictObject({ cachePoint: z.strictObject({ type: z.literal("default") }) });
const Text = z.strictObject({ text: z.string().regex(/\S/) });
const Picture = z.strictObject({
  image: z.strictObject({ format: z.enum(["png", "jpeg", "gif", "webp"]), source: z.strictObject({ bytes: z.base64().min(1) }) }),
});
const Document = z.strictObject({
  document: z.strictObject({
    format: z.literal("pdf"),
    name: z.string().regex(/^[\w\s()[\]-]+$/),
    source: z.strictObject({ bytes: z.base64().min(1) }),
  }),
});
const Id = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const Block = z.union([
  Text,
  Picture,
  Document,
  CachePoint,
  z.strictObject({
    reasoningContent: z.strictObject({ reasoningText: z.strictObject({ text: z.string(), signature: z.string().min(1) }) }),
  }),
  z.strictObject({
    toolUse: z.strictObject({ toolUseId: Id, name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), input: z.record(z.string(), z.unknown()) }),
  }),
  z.strictObject({
    toolResult: z.strictObject({
      toolUseId: Id,
      content: z.array(z.union([Text, Picture, Document])).min(1),
      status: z.enum(["success", "error"]).optional(),
    }),
  }),
]);
const Tool = z.strictObject({
  toolSpec: z.looseObject({
    name: z.string(),
    description: z.string().min(1),
    inputSchema: z.strictObject({ json: z.looseObject({ type: z.literal("object") }) }),
  }),
});
const Body = z.looseObject({
  system: z.array(z.union([Text, CachePoint])).min(1),
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(Block).min(1) })).min(1),
  toolConfig: z.looseObject({ tools: z.array(z.union([Tool, CachePoint])).min(1) }).optional(),
});
type Message = z.infer<typeof Body>["messages"][number];

/** The converse stream of Amazon Bedrock. */
export const bedrock: Format = {
  kind: "bedrock",
  model: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  base: "",
  settings: { region: "eu-north-1" },
  contentType: "application/vnd.amazon.eventstream",
  eventsOf,
  errorIn: (message) => frame({ ":message-type": "exception", ":exception-type": "serviceUnavailableException" }, { message }),
  repliesIn: (body) => Body.parse(body).messages.filter(({ role }) => role === "assistant").length,
  faultsOf,
  refusal: (_, message) => ({ message }),
  overflow: { status: 400, message: "Input is too long for requested model." },
};

function eventsOf(
  { reasoning, text, calls = [], finish = calls.length > 0 ? "tool_use" : "end_turn", tokens = 100 }: WireReply,
  k: number,
): Uint8Array[] {
  const event = (type: string, payload: object) =>
    frame({ ":event-type": type, ":content-type": "application/json", ":message-type": "event" }, payload);
  let blocks = 0;
  const block = (deltas: object[], start?: object): Uint8Array[] => {
    const contentBlockIndex = blocks++;
    return [
      ...(start ? [event("contentBlockStart", { contentBlockIndex, start })] : []), // only for calls
      ...deltas.map((delta) => event("contentBlockDelta", { contentBlockIndex, delta, p: "abcdefgh".slice(0, contentBlockIndex) })),
      event("contentBlockStop", { contentBlockIndex }),
    ];
  };
  const usage = {
    inputTokens: tokens - 80,
    outputTokens: 10,
    totalTokens: tokens + 10,
    cacheReadInputTokens: 50,
    cacheWriteInputTokens: 30,
  };
  return [
    event("messageStart", { role: "assistant" }),
    ...(reasoning === undefined
      ? []
      : block([
          ...pieces(reasoning).map((piece) => ({ reasoningContent: { text: piece } })),
          { reasoningContent: { signature: signatureOf(k) } },
        ])),
    ...(text === undefined ? [] : block(pieces(text).map((piece) => ({ text: piece })))),
    ...calls.flatMap((call, i) =>
      block(
        pieces(argumentsOf(call)).map((input) => ({ toolUse: { input } })),
        { toolUse: { toolUseId: call.id ?? `tooluse_${k}_${i}`, name: call.tool } },
      ),
    ),
    ...(finish === null ? [] : [event("messageStop", { stopReason: finish })]),
    event("metadata", { usage, metrics: { latencyMs: 1 } }),
  ];
}

function faultsOf(body: unknown, replies: readonly WireReply[]): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { messages, system, toolConfig } = parsed.data;
  const marks = JSON.stringify([system, toolConfig, messages]).match(/"cachePoint":/g)?.length ?? 0;
  const fromModel = messages.filter(({ role }) => role === "assistant");
  return [
    ...messages.flatMap(({ role }, i) => (role === (i % 2 === 0 ? "user" : "assistant") ? [] : [`message ${i}: roles do not alternate`])),
    ...messages.flatMap((message, i) => faultsAt(message, messages[i + 1], i)),
    ...fromModel.flatMap(({ content }, k) => thoughtFaults(content, replies[k], k)),
    ...(marks > 4 ? [`${marks} cache points`] : []),
    ...(isMarked(system) ? [] : ["the system prompt ends without a cache point"]),
    ...(isMarked(messages.at(-1)?.content ?? []) ? [] : ["the last message has no cache point"]),
  ];
}

const isMarked = (blocks: readonly object[]): boolean => "cachePoint" in (blocks.at(-1) ?? {});

function faultsAt({ role, content }: Message, following: Message | undefined, i: number): string[] {
  if (role === "user")
    return content.some((block) => "toolUse" in block || "reasoningContent" in block) ? [`message ${i}: a user cannot call`] : [];
  const calls = content.flatMap((block) => ("toolUse" in block ? [block.toolUse.toolUseId] : []));
  const results = (following?.content ?? []).flatMap((block) => ("toolResult" in block ? [block.toolResult.toolUseId] : []));
  return unpaired(calls, results, `message ${i}`);
}

/** Thinking blocks come first, word for word, with their signature. */
function thoughtFaults([first]: Message["content"], reply: WireReply | undefined, k: number): string[] {
  if (reply?.reasoning === undefined) return [];
  const thought = first && "reasoningContent" in first ? first.reasoningContent.reasoningText : undefined;
  return thought?.text === reply.reasoning && thought.signature === signatureOf(k) ? [] : [`reply ${k}: its thinking is not as it was`];
}
