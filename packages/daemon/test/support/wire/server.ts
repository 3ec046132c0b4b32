import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { LoopbackServer, type Asked } from "../loopback-server.ts";
import { bytesOf, streamOf, type Format, type WireReply } from "./format.ts";

export type WireFault =
  | { status: number; message?: string; headers?: Record<string, string>; body?: string }
  /** Ends the connection after this many bytes of the current reply: cleanly, or like a pulled cable. */
  | { cutAfter: number; clean?: boolean }
  /** Sends nothing after this many bytes, except for optional keep-alives. */
  | { hangAfter: number; keepAlive?: boolean }
  /** Sends this instead of the reply. */
  | { instead: string }
  | { after: number; add: string | Uint8Array };

/** `text` is the body as received. */
export type WireSeen = { body: unknown; text: string; headers: IncomingHttpHeaders; url: string; bytes: number };

/** The fault of the `nth` request; undefined if there is none. */
export type WireFaultOf = (nth: number, seen: WireSeen) => WireFault | undefined;

type Options = {
  replies: readonly WireReply[];
  fault?: WireFaultOf;
  end?: WireReply;
  /** It counts the tokens of requests, one for four characters. */ counts?: boolean;
};

/** A server on loopback that speaks one provider's format, answers a fixed dialogue and checks every request against the rules. */
export class WireServer extends LoopbackServer {
  readonly format: Format;
  seen: WireSeen[] = [];
  violations: string[] = [];
  #options: Options;

  private constructor(format: Format, options: Options) {
    super();
    this.format = format;
    this.#options = options;
  }

  /** Sets another dialogue, and forgets the earlier requests. */
  begin(options: Options): void {
    [this.#options, this.seen, this.violations] = [options, [], []];
  }

  static start(format: Format, options: Options): Promise<WireServer> {
    return new WireServer(format, options).listening();
  }

  override get url(): string {
    return `${super.url}${this.format.base}`;
  }

  /** As a provider of the config. */
  get provider(): Record<string, string> {
    const { kind, settings } = this.format;
    return { kind, baseUrl: this.url, ...settings, ...(kind === "bedrock" ? {} : { apiKey: "{env:TEST_KEY}" }) };
  }

  protected answer({ url, headers, body: text }: Asked, response: ServerResponse): void {
    const body: unknown = JSON.parse(text);
    const { replies, fault, counts = false, end = { text: "The dialogue is over." } } = this.#options;
    const seen = { body, text, headers, url, bytes: text.length };
    this.seen.push(seen);
    const faults = this.format.faultsOf(body, replies);
    this.violations.push(...faults);
    if (faults.length > 0) return void response.writeHead(400).end(JSON.stringify(this.format.refusal(400, faults.join("; "))));
    const wrong = fault?.(this.seen.length, seen);
    if (wrong && "status" in wrong)
      return void response
        .writeHead(wrong.status, { "content-type": "application/json", ...wrong.headers })
        .end(wrong.body ?? JSON.stringify(this.format.refusal(wrong.status, wrong.message ?? `status ${wrong.status}`)));
    const due = this.format.repliesIn(body);
    response.writeHead(200, { "content-type": this.format.contentType ?? "text/event-stream" });
    const reply = { ...(counts ? { tokens: Math.ceil(text.length / 4) } : {}), ...(replies[due] ?? end) };
    play(streamOf(this.format, reply, due), wrong, response);
  }
}

function play(stream: Buffer, fault: Exclude<WireFault, { status: number }> | undefined, response: ServerResponse): void {
  if (!fault) return void response.end(stream);
  if ("instead" in fault) return void response.end(fault.instead);
  if ("add" in fault) return void response.end(Buffer.concat([stream.subarray(0, fault.after), bytesOf(fault.add)]));
  if ("cutAfter" in fault) {
    response.write(stream.subarray(0, fault.cutAfter), () => (fault.clean ? response.end() : response.destroy()));
    return;
  }
  response.write(stream.subarray(0, fault.hangAfter));
  if (!fault.keepAlive) return;
  const timer = setInterval(() => response.write(": keep-alive\n\n"), 50);
  response.on("close", () => clearInterval(timer));
}
