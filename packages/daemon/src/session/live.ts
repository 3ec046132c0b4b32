import type { Logged } from "@baton/core/protocol/event";
import type { Frame } from "@baton/core/protocol/frame";
import type { CallId } from "@baton/core/protocol/ids";
import { Change } from "./change.ts";

const OUTPUT_KEPT = 64 * 1024;

/** Text that grows while somebody looks. `start` is the offset of `text`'s first character in the whole. */
type Growing = { start: number; text: string };

/** What a reader of the live texts has seen: how far each of them had come. */
export type Seen = { step: string; text: number; reasoning: number; outputs: Map<CallId, number>; stalled: string | null };

export const nothingSeen = (): Seen => ({ step: "", text: 0, reasoning: 0, outputs: new Map(), stalled: null });

/** What is streaming right now. Lost with the process, and nobody is wrong without it. */
export class Live {
  #step = 0;
  #attempt = 0;
  #text = "";
  #reasoning = "";
  #outputs = new Map<CallId, Growing>();
  #stalled: string | null = null;
  readonly #change = new Change();

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

  say(step: number, attempt: number, kind: "text" | "reasoning", text: string): void {
    if (step !== this.#step || attempt !== this.#attempt)
      [this.#step, this.#attempt, this.#text, this.#reasoning] = [step, attempt, "", ""];
    if (kind === "text") this.#text += text;
    else this.#reasoning += text;
    this.wake();
  }

  output(callId: CallId, text: string): void {
    const before = this.#outputs.get(callId) ?? { start: 0, text: "" };
    const whole = before.text + text;
    const cut = Math.max(0, whole.length - OUTPUT_KEPT);
    this.#outputs.set(callId, { start: before.start + cut, text: whole.slice(cut) });
    this.wake();
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
    if (event.type === "model.replied" || event.type === "model.failed" || event.type === "turn.ended")
      [this.#step, this.#text, this.#reasoning] = [0, "", ""];
  }

  /** Frames for all that `seen` has not seen yet; `seen` is brought up to date. */
  framesSince(seen: Seen): Frame[] {
    const frames: Frame[] = [];
    const step = `${this.#step}.${this.#attempt}`;
    if (seen.step !== step) [seen.step, seen.text, seen.reasoning] = [step, 0, 0];
    const [n, attempt] = [this.#step, this.#attempt];
    if (this.#reasoning.length > seen.reasoning)
      frames.push({ type: "reasoning", step: n, attempt, offset: seen.reasoning, text: this.#reasoning.slice(seen.reasoning) });
    if (this.#text.length > seen.text)
      frames.push({ type: "text", step: n, attempt, offset: seen.text, text: this.#text.slice(seen.text) });
    [seen.text, seen.reasoning] = [this.#text.length, this.#reasoning.length];
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
