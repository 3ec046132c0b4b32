import type { ServerResponse } from "node:http";
import { LoopbackServer, type Asked } from "../../test/support/loopback-server.ts";
import { anthropic } from "../../test/support/wire/anthropic.ts";
import { chat } from "../../test/support/wire/chat.ts";
import { streamOf, type Format, type WireReply } from "../../test/support/wire/format.ts";
import { google } from "../../test/support/wire/google.ts";
import { responses } from "../../test/support/wire/responses.ts";

export type Call = { tool: string; input: unknown };
type Options = {
  steps: number;
  /** The model's request at a step. */
  call: (step: number) => Call;
  /** Called before the answer to the request with this number. */
  onRequest: (nth: number) => void;
};

/** A model for any agent: it asks for one call in each step, in the format of the address that was called. */
export class EveryModel extends LoopbackServer {
  /** From the end of an answer to the arrival of the next request, in milliseconds. */
  readonly gaps: number[] = [];
  /** The size of the first request with tools. */
  firstBytes = 0;
  requests = 0;
  #answeredAt = 0;
  readonly #options: Options;

  private constructor(options: Options) {
    super();
    this.#options = options;
  }

  static start(options: Options): Promise<EveryModel> {
    return new EveryModel(options).listening();
  }

  protected answer({ method, url, body, at }: Asked, response: ServerResponse): void {
    const format = formatOf(url);
    if (!format || method !== "POST") return void response.writeHead(200, { "content-type": "application/json" }).end(ELSE);
    const { steps, call, onRequest } = this.#options;
    const next = call(this.requests + 1);
    // Titles, summaries and similar requests have no tools.
    if (!body.includes(`"${next.tool}"`)) return say(format, { text: "Go" }, 0, response);
    this.requests++;
    if (this.requests === 1) this.firstBytes = Buffer.byteLength(body);
    else this.gaps.push(at - this.#answeredAt);
    onRequest(this.requests);
    say(format, this.requests > steps ? { text: "Done." } : { calls: [next] }, this.requests, response);
    this.#answeredAt = performance.now();
  }
}

/** Other endpoints that agents call: a list of models, a token count, a flag. */
const ELSE = JSON.stringify({ data: [], models: [], input_tokens: 1, totalTokens: 1 });

function formatOf(url: string): Format | undefined {
  if (/\/messages(\?|$)/.test(url)) return anthropic;
  if (/\/responses(\?|$)/.test(url)) return responses;
  if (/\/chat\/completions(\?|$)/.test(url)) return chat;
  return url.includes(":streamGenerateContent") ? google : undefined;
}

function say(format: Format, reply: WireReply, k: number, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(streamOf(format, reply, k));
}
