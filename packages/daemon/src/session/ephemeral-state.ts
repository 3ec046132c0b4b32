import type { Usage } from "@baton/core/protocol/call";
import type { Logged } from "@baton/core/protocol/event";
import type { StreamFrame } from "@baton/core/protocol/stream-frame";
import type { CallId } from "@baton/core/protocol/ids";
import type { ModelPart } from "../model/model-port.ts";
import type { ClientExchange } from "../tool/tool-types.ts";
import { ChangeSignal } from "./change-signal.ts";

const OUTPUT_KEPT = 64 * 1024;

/** Text that grows while somebody looks. `start` is the offset of `text`'s first character in the whole. */
type Growing = { start: number; text: string };

/** What a reader of the live texts has seen: how far each of them had come. */
export type StreamCursor = {
  step: string;
  text: number;
  reasoning: number;
  calls: number[];
  outputs: Map<CallId, number>;
  stalled: string | null;
};

export const streamStart = (): StreamCursor => ({ step: "", text: 0, reasoning: 0, calls: [], outputs: new Map(), stalled: null });

const nothingSpent = (): undefined => undefined;

/** What is streaming right now. Lost with the process, and nobody is wrong without it. */
export class EphemeralState {
  #step = 0;
  #attempt = 0;
  #text = "";
  #reasoning = "";
  /** Calls whose arguments are coming. */
  #calls: { tool: string; text: string }[] = [];
  #spending: () => Usage | undefined = nothingSpent;
  #outputs = new Map<CallId, Growing>();
  #stalled: string | null = null;
  readonly #raw = new Map<CallId, unknown>();
  readonly #through = new Map<CallId, ClientExchange>();
  readonly #change = new ChangeSignal();

  /** Why the store cannot be written now, or null. */
  get stalled(): string | null {
    return this.#stalled;
  }

  changed(signal?: AbortSignal): Promise<void> {
    return this.#change.next(signal);
  }

  wake(): void {
    this.#change.wake();
  }

  say(step: number, attempt: number, part: ModelPart): void {
    if (step !== this.#step || attempt !== this.#attempt) this.#begin(step, attempt);
    if (part.type === "spending") return void (this.#spending = part.soFar);
    if (part.type === "text") this.#text += part.text;
    else if (part.type === "reasoning") this.#reasoning += part.text;
    else this.#calls[part.index] = { tool: part.tool, text: (this.#calls[part.index]?.text ?? "") + part.text };
    this.wake();
  }

  /** What the model has said in this step so far. */
  said(step: number): string {
    return step === this.#step ? this.#text : "";
  }

  /** What its reply has used so far, if anything. */
  spent(step: number): Usage | undefined {
    return step === this.#step ? this.#spending() : undefined;
  }

  #begin(step: number, attempt: number): void {
    [this.#step, this.#attempt, this.#text, this.#reasoning, this.#calls] = [step, attempt, "", "", []];
    this.#spending = nothingSpent;
  }

  output(callId: CallId, text: string): void {
    const before = this.#outputs.get(callId) ?? { start: 0, text: "" };
    const whole = before.text + text;
    const cut = Math.max(0, whole.length - OUTPUT_KEPT);
    this.#outputs.set(callId, { start: before.start + cut, text: whole.slice(cut) });
    this.wake();
  }

  /** What a server answered to a call of another agent, as it was; whoever waits for it takes it. */
  keepRaw(callId: CallId, value: unknown): void {
    this.#raw.set(callId, value);
  }

  /** Holds the way between the client of another agent and a server, for as long as the call lasts. */
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

  /** An event that says a thing for good ends the sight of it. */
  forget(event: Logged): void {
    if (event.type === "tool.finished") this.#outputs.delete(event.callId);
    if (event.type === "turn.ended") this.#outputs.clear();
    if (event.type === "model.replied" || event.type === "model.failed" || event.type === "turn.ended") this.#begin(0, 0);
  }

  /** Frames for all that `seen` has not seen yet; `seen` is brought up to date. */
  framesSince(seen: StreamCursor): StreamFrame[] {
    const frames: StreamFrame[] = [];
    const step = `${this.#step}.${this.#attempt}`;
    if (seen.step !== step) [seen.step, seen.text, seen.reasoning, seen.calls] = [step, 0, 0, []];
    const [n, attempt] = [this.#step, this.#attempt];
    if (this.#reasoning.length > seen.reasoning)
      frames.push({ type: "reasoning", step: n, attempt, offset: seen.reasoning, text: this.#reasoning.slice(seen.reasoning) });
    if (this.#text.length > seen.text)
      frames.push({ type: "text", step: n, attempt, offset: seen.text, text: this.#text.slice(seen.text) });
    [seen.text, seen.reasoning] = [this.#text.length, this.#reasoning.length];
    for (const [index, { tool, text }] of this.#calls.entries()) {
      const offset = seen.calls[index];
      if (offset === undefined || text.length > offset)
        frames.push({ type: "call", step: n, attempt, index, tool, offset: offset ?? 0, text: text.slice(offset ?? 0) });
      seen.calls[index] = text.length;
    }
    for (const [callId, { start, text }] of this.#outputs) {
      const from = Math.max(start, seen.outputs.get(callId) ?? 0);
      if (from < start + text.length) frames.push({ type: "output", callId, offset: from, text: text.slice(from - start) });
      seen.outputs.set(callId, start + text.length);
    }
    for (const callId of seen.outputs.keys()) if (!this.#outputs.has(callId)) seen.outputs.delete(callId);
    if (seen.stalled !== this.#stalled) frames.push({ type: "stalled", message: this.#stalled });
    seen.stalled = this.#stalled;
    return frames;
  }
}
