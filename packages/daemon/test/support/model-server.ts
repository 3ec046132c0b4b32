import type { ServerResponse } from "node:http";
import * as z from "zod";
import { LoopbackServer, type Asked } from "./loopback-server.ts";

/** The server's answer to the request whose conversation contains this many replies. */
/** `stamps`: pieces of text that each contain their time of sending, in `performance.now()` of this process, instead of `text`. */
export type Reply = {
  stamps?: { count: number; everyMs: number; atOnce?: number };
  text?: string;
  calls?: { tool: string; input: unknown; raw?: string; id?: string }[];
  finish?: string | null;
};
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Ends the connection after this many bytes of the stream. */
  | { cutAfter: number; reply: Reply }
  /** Sends headers and keep-alives, but never an answer. */
  | { hang: true };
/** The server calls `fault` for each request first. Undefined lets the reply through. */
export type ModelServerOptions = {
  replies: Reply[];
  /** Instead of `replies`. */ replyTo?: (request: ModelRequestSeen) => Reply;
  fault?: (request: ModelRequestSeen, nth: number) => Fault | undefined;
};

const Body = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  stream: z.literal(true),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.object({ role: z.literal("system"), content: z.string() }),
      z.object({ role: z.literal("user"), content: z.unknown() }),
      z.object({
        role: z.literal("assistant"),
        content: z.string().nullish(),
        tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })).optional(),
      }),
      z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});
export type ModelRequestSeen = z.infer<typeof Body> & { bytes: number; at: number };

/**
 * A server on loopback that speaks OpenAI-compatible chat completions, streaming, and answers a fixed dialogue. It checks every request
 * against the demands of real providers, and `violations` lists the broken ones.
 */
export class ModelServer extends LoopbackServer {
  readonly requests: ModelRequestSeen[] = [];
  readonly violations: string[] = [];
  /** When the last byte of each answer was passed to the system, in `performance.now()` of this process. */
  readonly answeredAt: number[] = [];
  #options: ModelServerOptions;

  private constructor(options: ModelServerOptions) {
    super();
    this.#options = options;
  }

  static start(options: ModelServerOptions): Promise<ModelServer> {
    return new ModelServer(options).listening();
  }

  override get url(): string {
    return `${super.url}/v1`;
  }

  /** The settings that make it the model of new sessions. */
  get config() {
    return { model: "local/m", ...this.providers };
  }

  /** The settings that make it a provider. */
  get providers() {
    return { providers: { local: { kind: "openai-compatible", baseUrl: this.url } } };
  }

  set options(options: ModelServerOptions) {
    this.#options = options;
  }

  protected async answer({ body: text, at }: Asked, response: ServerResponse): Promise<void> {
    const body = Body.safeParse(JSON.parse(text));
    if (!body.success) {
      this.violations.push(z.prettifyError(body.error));
      response.writeHead(400).end();
      return;
    }
    const seen = { ...body.data, bytes: text.length, at };
    this.requests.push(seen);
    this.violations.push(...faultsOf(seen.messages));
    const fault = this.#options.fault?.(seen, this.requests.length);
    if (fault && "status" in fault) {
      response
        .writeHead(fault.status, { "content-type": "application/json", ...fault.headers })
        .end(fault.body ?? JSON.stringify({ error: { message: `status ${fault.status}` } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (fault && "hang" in fault) {
      response.write(": keep-alive\n\n");
      return;
    }
    const due = seen.messages.filter((message) => message.role === "assistant").length;
    const reply = fault ? fault.reply : (this.#options.replyTo?.(seen) ?? this.#options.replies[due] ?? { text: "The dialogue is over." });
    if (reply.stamps) await speakStamps(reply.stamps, response);
    const stream = streamOf(reply, due);
    if (fault) {
      response.write(stream.slice(0, fault.cutAfter), () => response.destroy());
      return;
    }
    response.end(stream);
    this.answeredAt.push(performance.now());
  }
}

/** The error for which a provider would answer 400: a call without exactly one result right after it, or a result without a call. */
function faultsOf(messages: ModelRequestSeen["messages"]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) faults.push(`result ${message.tool_call_id} follows no call`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) faults.push(`calls ${open.join(" ")} have no result`);
    open = message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [];
    if (new Set(open).size !== open.length) faults.push(`call ids are not unique: ${open.join(" ")}`);
  }
  if (open.length > 0) faults.push(`calls ${open.join(" ")} have no result at the end`);
  return faults;
}

async function speakStamps({ count, everyMs, atOnce = 1 }: NonNullable<Reply["stamps"]>, response: ServerResponse): Promise<void> {
  for (let i = 0; i < count; i++) {
    await new Promise((next) => setTimeout(next, everyMs));
    for (let n = 0; n < atOnce; n++) response.write(chunk({ content: `${performance.now().toFixed(3)} ` }));
  }
}

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** The bytes of one answer. */
export function streamOf({ text = "", calls = [], finish = calls.length > 0 ? "tool_calls" : "stop" }: Reply, step = 0): string {
  const words = text.split(/(?<= )/).filter((word) => word !== "");
  return [
    chunk({ role: "assistant", content: "" }),
    ...words.map((content) => chunk({ content })),
    ...calls.map(({ tool, input, raw, id }, index) =>
      chunk({
        tool_calls: [
          { index, id: id ?? `call_${step}_${index}`, type: "function", function: { name: tool, arguments: raw ?? JSON.stringify(input) } },
        ],
      }),
    ),
    ...(finish === null ? [] : [chunk({}, finish)]),
    `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`,
    "data: [DONE]\n\n",
  ].join("");
}
