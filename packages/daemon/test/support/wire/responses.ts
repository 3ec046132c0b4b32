import * as z from "zod";
import { argumentsOf, event, pieces, signatureOf, unpaired, type Format, type WireReply } from "./format.ts";

const Shown = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text: z.string() }),
  z.strictObject({ type: z.literal("input_image"), image_url: z.string().regex(/^data:image\/\w+;base64,./) }),
  z.strictObject({ type: z.literal("input_file"), filename: z.string(), file_data: z.string().regex(/^data:application\/pdf;base64,./) }),
]);
const Item = z.union([
  z.strictObject({
    type: z.literal("function_call"),
    call_id: z.string().max(64),
    name: z.string(),
    arguments: z.string(),
    id: z.string().optional(),
    status: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.union([z.string(), z.array(Shown).min(1)]) }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string(),
    encrypted_content: z.string().min(1),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
  }),
  z.strictObject({ role: z.enum(["developer", "system"]), content: z.string() }),
  z.strictObject({
    role: z.literal("user"),
    content: z.array(Shown).min(1),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(z.strictObject({ type: z.literal("output_text"), text: z.string() }))]),
    id: z.string().optional(),
  }),
]);
const Body = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  store: z.literal(false),
  include: z.array(z.string()),
  prompt_cache_key: z.string().min(1),
  tools: z
    .array(z.looseObject({ type: z.literal("function"), name: z.string(), parameters: z.looseObject({ type: z.literal("object") }) }))
    .default([]),
  input: z.array(Item).min(1),
});
type Items = z.infer<typeof Body>["input"];

/** OpenAI's responses API, in which nothing is stored. */
export const responses: Format = {
  kind: "openai",
  model: "gpt-5",
  base: "/v1",
  eventsOf,
  errorIn: (message) =>
    event({ type: "error", sequence_number: 9, error: { type: "server_error", code: "server_error", message, param: null } }),
  repliesIn: (body) => repliesOf(Body.parse(body).input).length,
  faultsOf,
  refusal: (status, message) => ({
    error: { message, type: "invalid_request_error", param: null, code: status === 401 ? "invalid_api_key" : null },
  }),
  overflow: { status: 400, message: "Your input exceeds the context window of this model. Please adjust your input and try again." },
};

function eventsOf({ reasoning, text, calls = [], finish = "completed" }: WireReply, k: number): string[] {
  const events: { type: string }[] = [];
  const say = (type: string, more: object) => void events.push({ type, sequence_number: events.length, ...more } as { type: string });
  const response = { id: `resp_${k}`, object: "response", created_at: 1, status: "in_progress", model: "gpt-5", output: [] };
  say("response.created", { response });
  say("response.in_progress", { response });
  const output: object[] = [];
  const item = (begun: object, deltas: (at: { output_index: number; item_id: string }) => void, done: object) => {
    const output_index = output.push(done) - 1;
    say("response.output_item.added", { output_index, item: begun });
    deltas({ output_index, item_id: (begun as { id: string }).id });
    say("response.output_item.done", { output_index, item: done });
  };
  if (reasoning !== undefined) {
    const begun = { id: `rs_${k}`, type: "reasoning", summary: [], encrypted_content: "begun" };
    const summary = [{ type: "summary_text", text: reasoning }];
    item(
      begun,
      (at) => {
        const where = { ...at, summary_index: 0 };
        say("response.reasoning_summary_part.added", { ...where, part: { type: "summary_text", text: "" } });
        for (const delta of pieces(reasoning)) say("response.reasoning_summary_text.delta", { ...where, delta });
        say("response.reasoning_summary_text.done", { ...where, text: reasoning });
        say("response.reasoning_summary_part.done", { ...where, part: summary[0] });
      },
      { ...begun, summary, encrypted_content: signatureOf(k) },
    );
  }
  if (text !== undefined) {
    const begun = { id: `msg_${k}`, type: "message", status: "in_progress", role: "assistant", content: [] };
    const part = { type: "output_text", annotations: [], text };
    item(
      begun,
      (at) => {
        const where = { ...at, content_index: 0 };
        say("response.content_part.added", { ...where, part: { ...part, text: "" } });
        for (const delta of pieces(text)) say("response.output_text.delta", { ...where, delta });
        say("response.output_text.done", { ...where, text });
        say("response.content_part.done", { ...where, part });
      },
      { ...begun, status: "completed", content: [part] },
    );
  }
  for (const [i, call] of calls.entries()) {
    const begun = {
      id: `fc_${k}_${i}`,
      type: "function_call",
      status: "in_progress",
      arguments: "",
      call_id: call.id ?? `call_${k}_${i}`,
      name: call.tool,
    };
    const whole = argumentsOf(call);
    item(
      begun,
      (at) => {
        for (const delta of pieces(whole)) say("response.function_call_arguments.delta", { ...at, delta });
        say("response.function_call_arguments.done", { ...at, arguments: whole });
      },
      { ...begun, status: "completed", arguments: whole },
    );
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 50 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 110,
  };
  if (finish === "completed") say("response.completed", { response: { ...response, status: "completed", output, usage } });
  else if (finish !== null)
    say("response.incomplete", { response: { ...response, status: "incomplete", output, incomplete_details: { reason: finish }, usage } });
  return events.map(event);
}

function faultsOf(body: unknown, replies: readonly WireReply[]): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { input, include } = parsed.data;
  const calls = input.flatMap((item) => ("type" in item && item.type === "function_call" ? [item.call_id] : []));
  const results = input.flatMap((item) => ("type" in item && item.type === "function_call_output" ? [item.call_id] : []));
  const faults = unpaired(calls, results, "input");
  for (const item of input)
    if ("arguments" in item && !isObject(item.arguments)) faults.push(`call ${item.call_id}: its arguments are no object`);
  if (!include.includes("reasoning.encrypted_content")) faults.push("encrypted reasoning is not asked for");
  return [...faults, ...repliesOf(input).flatMap((items, k) => thoughtFaults(items, replies[k], k))];
}

/** The model's messages are together, and the user's messages are between them. */
function repliesOf(input: Items): Items[] {
  const replies: Items[] = [];
  let speaking = false;
  for (const item of input) {
    const says =
      ("role" in item && item.role === "assistant") || ("type" in item && (item.type === "reasoning" || item.type === "function_call"));
    if (says && speaking) replies.at(-1)?.push(item);
    else if (says) replies.push([item]);
    speaking = says;
  }
  return replies;
}

function thoughtFaults([first]: Items, reply: WireReply | undefined, k: number): string[] {
  if (reply?.reasoning === undefined) return [];
  const same =
    first &&
    "summary" in first &&
    first.id === `rs_${k}` &&
    first.encrypted_content === signatureOf(k) &&
    first.summary.map(({ text }) => text).join("") === reply.reasoning;
  return same ? [] : [`reply ${k}: its reasoning item is not as it was`];
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
