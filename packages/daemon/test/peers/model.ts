import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopbackServer, type Asked as Sent } from "../support/loopback-server.ts";
import { formatOf, type Format, type Say } from "./format.ts";

/** The requests of an agent: the tools that it offered to its model, and the result of its last call. */
export type Asked = { tools: string[]; last: string };

/**
 * A model on loopback that speaks the agents' formats and follows one script: enter configuration mode, list the tools, finish. It waits
 * before each answer, so that an agent has time to learn of the changed tools.
 */
export class PeerModel extends LoopbackServer {
  readonly asked: Asked[] = [];
  readonly unknown: string[] = [];
  readonly #delayMs: number;

  private constructor(delayMs: number) {
    super();
    this.#delayMs = delayMs;
  }

  static start(delayMs: number): Promise<PeerModel> {
    return new PeerModel(delayMs).listening();
  }

  protected async answer({ method, url, body: text }: Sent, response: ServerResponse): Promise<void> {
    const format = formatOf(url);
    if (!format) {
      this.unknown.push(`${method} ${url}`);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: [], models: [], input_tokens: 1 }));
      return;
    }
    const body = JSON.parse(text || "{}") as Record<string, unknown>;
    const say = this.#next(format, body);
    if (say.call) await sleep(this.#delayMs);
    const isStream = body["stream"] === true || url.includes("alt=sse");
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? format.stream(say) : JSON.stringify(format.whole(say)));
  }

  /** Requests without Baton's tools have other purposes, such as names for a session or a check whether a model exists. */
  #next(format: Format, body: Record<string, unknown>): Say {
    const tools = format.tools(body);
    if (!tools.some((name) => /configuration.mode|list.available/.test(name))) return { text: "ok" };
    this.asked.push({ tools, last: format.last(body) });
    const wanted = [/enter.configuration.mode$/, /list.available.tools$/][this.asked.length - 1];
    if (!wanted) return { text: "Done." };
    const named = tools.find((name) => wanted.test(name)) ?? nameLike(tools, wanted);
    return { call: { name: named, input: {} } };
  }
}

/** The future name of a tool that is not listed yet. */
function nameLike(tools: readonly string[], wanted: RegExp): string {
  const known = tools.find((name) => /(enter|exit).configuration.mode$/.test(name)) ?? "";
  const plain = wanted.source.replace("$", "");
  return known.replace(/(enter|exit).configuration.mode$/, plain.replaceAll(".", known.includes("configuration_mode") ? "_" : "-"));
}
