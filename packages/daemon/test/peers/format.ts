/** The model's next reply: text, or one call. */
export type Say = { text?: string; call?: { name: string; input: unknown } };

type Body = Record<string, unknown>;

/** The format of one kind of model: the names of tools in a request, the text of the newest result in it, and answers. */
export type Format = {
  tools: (body: Body) => string[];
  last: (body: Body) => string;
  stream: (say: Say) => string;
  whole: (say: Say) => unknown;
};

const list = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []); // from the request of an agent
const sse = (events: readonly object[], named = true): string =>
  events.map((event) => `${named && "type" in event ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`).join("");
const newest = (items: readonly Body[], is: (item: Body) => boolean): string => JSON.stringify(items.findLast(is) ?? "");

const anthropic: Format = {
  tools: ({ tools }) => list(tools).map(({ name }) => String(name)),
  last: ({ messages }) => newest(list(messages), ({ content }) => list(content).some(({ type }) => type === "tool_result")),
  stream: ({ text = "", call }) => {
    const block = call ? { type: "tool_use", id: `toolu_${Date.now()}`, name: call.name, input: {} } : { type: "text", text: "" };
    const delta = call ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) } : { type: "text_delta", text };
    return sse([
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: "message_stop" },
    ]);
  },
  whole: ({ text = "" }) => ({ ...message, content: [{ type: "text", text }], stop_reason: "end_turn" }),
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};

const chat: Format = {
  tools: ({ tools }) => list(tools).map((each) => String((each["function"] as Body | undefined)?.["name"])),
  last: ({ messages }) => newest(list(messages), ({ role }) => role === "tool"),
  stream: ({ text = "", call }) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const called = call && { index: 0, id: `call_${Date.now()}`, type: "function", function: { name: call.name, arguments: "{}" } };
    const said = called ? chunk({ role: "assistant", tool_calls: [called] }) : chunk({ role: "assistant", content: text });
    return `${sse([said, chunk({}, called ? "tool_calls" : "stop")], false)}data: [DONE]\n\n`;
  },
  whole: ({ text = "" }) => ({ id: "c", choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }] }),
};

/** A group of tools has a name, which the call has to include beside its own. */
const responses: Format = {
  tools: ({ tools }) =>
    list(tools).flatMap((tool) =>
      tool["type"] === "namespace"
        ? list(tool["tools"]).map(({ name }) => `${String(tool["name"])}${GROUP}${String(name)}`)
        : [String(tool["name"])],
    ),
  last: ({ input }) => newest(list(input), ({ type }) => type === "function_call_output"),
  stream: ({ text = "", call }) => {
    const [namespace, name] = call?.name.includes(GROUP) ? call.name.split(GROUP) : [undefined, call?.name];
    const item = call
      ? {
          type: "function_call",
          id: "fc_1",
          call_id: `call_${Date.now()}`,
          name,
          arguments: "{}",
          ...(namespace === undefined ? {} : { namespace }),
        }
      : { type: "message", id: "m_1", role: "assistant", content: [{ type: "output_text", text }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return sse([
      { type: "response.created", response: { id: "r_1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r_1", usage } },
    ]);
  },
  whole: ({ text = "" }) => ({ id: "r_1", output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }] }),
};
const GROUP = "::";

const gemini: Format = {
  tools: ({ tools }) => list(tools).flatMap(({ functionDeclarations }) => list(functionDeclarations).map(({ name }) => String(name))),
  last: ({ contents }) => newest(list(contents), ({ parts }) => list(parts).some((part) => "functionResponse" in part)),
  stream: (say) => sse([gemini.whole(say) as object], false),
  whole: ({ text = "", call }) => ({
    candidates: [
      {
        content: { role: "model", parts: [call ? { functionCall: { name: call.name, args: call.input } } : { text }] },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
};

/** The format of an address; undefined if it needs no answer. */
export function formatOf(url: string): Format | undefined {
  if (/\/messages(\?|$)/.test(url)) return anthropic;
  if (url.includes("/chat/completions")) return chat;
  if (/\/responses(\?|$)/.test(url)) return responses;
  return /:(stream)?[gG]enerateContent/.test(url) ? gemini : undefined;
}
