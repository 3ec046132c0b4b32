import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { LoggedEvent } from "@baton/core/protocol/event";
import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import type { CallId } from "@baton/core/protocol/ids";
import type { ModelPart } from "../model/model-port.ts";
import type { ClientExchange } from "../tool/tool-types.ts";
import { ChangeSignal } from "./change-signal.ts";

const OUTPUT_KEPT = 64 * 1024;

/** Text that grows while clients read it. `start` is the offset of `text` in the whole. */
type Growing = { start: number; text: string };

/** How much of each live text a reader has seen. */
type StreamCursor = {
  step: string;
  text: number;
  reasoning: number;
  calls: number[];
  outputs: Map<CallId, number>;
  stalled: string | null;
};

export const streamStart = (): StreamCursor => ({ step: "", text: 0, reasoning: 0, calls: [], outputs: new Map(), stalled: null });

const nothingSpent = (): undefined => undefined;

/** The text that is streaming now. It is lost with the process, which is harmless. */
export class LiveStreams {
  #step = 0;
  #attempt = 0;
  #text = "";
  #reasoning = "";
  /** Calls whose arguments are arriving. */
  #calls: { tool: string; text: string }[] = [];
  #spending: () => TokenUsage | undefined = nothingSpent;
  #outputs = new Map<CallId, Growing>();
  #stalled: string | null = null;
  readonly #raw = new Map<CallId, unknown>();
  readonly #through = new Map<CallId, ClientExchange>();
  readonly #change = new ChangeSignal();

  /** Why the store cannot be written, or null. */
  get stalled(): string | null {
    return this.#stalled;
  }

  changed(signal?: AbortSignal): Promise<void> {
    return this.#change.next(signal);
  }

  wake(): void {
    this.#change.wake();
  }

  addPart(step: number, attempt: number, part: ModelPart): void {
    if (step !== this.#step || attempt !== this.#attempt) this.#begin(step, attempt);
    if (part.type === "spending") return void (this.#spending = part.soFar);
    if (part.type === "text") this.#text += part.text;
    else if (part.type === "reasoning") this.#reasoning += part.text;
    else this.#calls[part.index] = { tool: part.tool, text: (this.#calls[part.index]?.text ?? "") + part.text };
    this.wake();
  }

  /** The model's text in this step so far. */
  replyText(step: number): string {
    return step === this.#step ? this.#text : "";
  }

  /** The usage of the reply so far, if known. */
  spent(step: number): TokenUsage | undefined {
    return step === this.#step ? this.#spending() : undefined;
  }

  #begin(step: number, attempt: number): void {
    this.#step = step;
    this.#attempt = attempt;
    this.#text = "";
    this.#reasoning = "";
    this.#calls = [];
    this.#spending = nothingSpent;
  }

  output(callId: CallId, text: string): void {
    const before = this.#outputs.get(callId) ?? { start: 0, text: "" };
    const whole = before.text + text;
    const cut = Math.max(0, whole.length - OUTPUT_KEPT);
    this.#outputs.set(callId, { start: before.start + cut, text: whole.slice(cut) });
    this.wake();
  }

  /** A server's unchanged answer to a call of another agent, until the caller takes it. */
  keepRaw(callId: CallId, value: unknown): void {
    this.#raw.set(callId, value);
  }

  /** Keeps the connection between another agent's client and a server for the duration of the call. */
  open(callId: CallId, through: ClientExchange): void {
    this.#through.set(callId, through);
  }

  through(callId: CallId): ClientExchange | undefined {
    return this.#through.get(callId);
  }

  shut(callId: CallId): void {
    this.#through.delete(callId);
  }

  takeRaw(callId: CallId): unknown {
    const value = this.#raw.get(callId);
    this.#raw.delete(callId);
    return value;
  }

  stall(message: string | null): void {
    if (message === this.#stalled) return;
    this.#stalled = message;
    this.wake();
  }

  /** Removes the live text that an event has made permanent. */
  forget(event: LoggedEvent): void {
    if (event.type === "tool.finished") this.#outputs.delete(event.callId);
    if (event.type === "turn.ended") this.#outputs.clear();
    if (event.type === "model.replied" || event.type === "model.failed" || event.type === "turn.ended") this.#begin(0, 0);
  }

  /** Frames for everything that `seen` has not seen yet. Updates `seen`. */
  framesSince(cursor: StreamCursor): StreamFrame[] {
    const frames: StreamFrame[] = [];
    const step = `${this.#step}.${this.#attempt}`;
    if (cursor.step !== step) {
      cursor.step = step;
      cursor.text = 0;
      cursor.reasoning = 0;
      cursor.calls = [];
    }
    const [n, attempt] = [this.#step, this.#attempt];
    if (this.#reasoning.length > cursor.reasoning)
      frames.push({ type: "reasoning", step: n, attempt, offset: cursor.reasoning, text: this.#reasoning.slice(cursor.reasoning) });
    if (this.#text.length > cursor.text)
      frames.push({ type: "text", step: n, attempt, offset: cursor.text, text: this.#text.slice(cursor.text) });
    cursor.text = this.#text.length;
    cursor.reasoning = this.#reasoning.length;
    for (const [index, { tool, text }] of this.#calls.entries()) {
      const offset = cursor.calls[index];
      if (offset === undefined || text.length > offset)
        frames.push({ type: "call", step: n, attempt, index, tool, offset: offset ?? 0, text: text.slice(offset ?? 0) });
      cursor.calls[index] = text.length;
    }
    for (const [callId, { start, text }] of this.#outputs) {
      const from = Math.max(start, cursor.outputs.get(callId) ?? 0);
      if (from < start + text.length) frames.push({ type: "output", callId, offset: from, text: text.slice(from - start) });
      cursor.outputs.set(callId, start + text.length);
    }
    for (const callId of cursor.outputs.keys()) if (!this.#outputs.has(callId)) cursor.outputs.delete(callId);
    if (cursor.stalled !== this.#stalled) frames.push({ type: "stalled", message: this.#stalled });
    cursor.stalled = this.#stalled;
    return frames;
  }
}
