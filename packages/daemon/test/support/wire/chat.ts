import * as z from "zod";
import { argumentsOf, data, pieces, unpaired, type Format, type WireReply } from "./format.ts";

const Shown = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string().regex(/^data:image\/\w+;base64,./) }) }),
]);
const Message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "developer"]), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.union([z.string().min(1), z.array(Shown).min(1)]) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullable(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string(),
          type: z.literal("function"),
          function: z.strictObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string(), name: z.string().optional() }),
]);
const Body = z.looseObject({ model: z.string(), stream: z.literal(true), messages: z.array(Message).min(2) });
type Messages = z.infer<typeof Body>["messages"];

/** Chat completions, which OpenAI introduced and many providers support. */
export const chat: Format = {
  kind: "openai-compatible",
  model: "m",
  base: "/v1",
  eventsOf,
  errorIn: (message) => data({ error: { message, type: "server_error", code: 503 } }),
  repliesIn: (body) => Body.parse(body).messages.filter(({ role }) => role === "assistant").length,
  faultsOf,
  refusal: (status, message) => ({ error: { message, type: "invalid_request_error", code: status } }),
  overflow: { status: 400, message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens." },
};

function eventsOf(
  { reasoning = "", text = "", calls = [], finish = calls.length > 0 ? "tool_calls" : "stop", tokens = 100 }: WireReply,
  k: number,
): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    data({ id: `chatcmpl-${k}`, object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(reasoning).map((reasoning_content) => chunk({ reasoning_content })),
    ...pieces(text).map((content) => chunk({ content })),
    ...calls.flatMap((call, index) => [
      chunk({
        tool_calls: [{ index, id: call.id ?? `call_${k}_${index}`, type: "function", function: { name: call.tool, arguments: "" } }],
      }),
      ...pieces(argumentsOf(call)).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    ...(finish === null ? [] : [chunk({}, finish)]),
    data({
      id: `chatcmpl-${k}`,
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [],
      usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10, prompt_tokens_details: { cached_tokens: 50 } },
    }),
    "data: [DONE]\n\n",
  ];
}

function faultsOf(body: unknown): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { messages } = parsed.data;
  return messages.flatMap((message, i) => {
    if (message.role === "system" || message.role === "developer") return i === 0 ? [] : [`message ${i}: a system prompt in the middle`];
    if (message.role === "user") return messages[i - 1]?.role === "user" ? [`message ${i}: roles do not alternate`] : [];
    if (message.role === "tool")
      return ["tool", "assistant"].includes(messages[i - 1]?.role ?? "") ? [] : [`message ${i}: a result of nothing`];
    const calls = ("tool_calls" in message ? (message.tool_calls ?? []) : []).map(({ id }) => id);
    return unpaired(calls, resultsAfter(messages, i), `message ${i}`);
  });
}

function resultsAfter(messages: Messages, i: number): string[] {
  const following = messages.slice(i + 1);
  const end = following.findIndex(({ role }) => role !== "tool");
  return (end < 0 ? following : following.slice(0, end)).flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
}
