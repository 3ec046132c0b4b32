import { omitUndefined } from "@baton/core/text/omit-undefined";
import { readFile, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Message } from "@baton/core/session/context/build-messages";
import type { ModelFault } from "@baton/core/protocol/event";
import { noUsage } from "@baton/core/session/usage/add-usage";
import * as z from "zod";
import { ModelError, type Model, type ModelReply } from "./model-port.ts";

const tokens = z.number().int().nonnegative().optional();

/** Tokens, and the cost in US dollars. `input` includes `cachedInput` and `cacheWrite`, and `output` includes `reasoning`. */
const ScriptedUsage = z.strictObject({
  input: tokens,
  cachedInput: tokens,
  cacheWrite: tokens,
  output: tokens,
  reasoning: tokens,
  cost: z.number().nonnegative().optional(),
});

/**
 * A script of a model's answers. The number of replies in the conversation decides which reply is next, so a script continues correctly
 * after a crash. See docs/scripts.md.
 */
export const Script = z.strictObject({
  description: z.string().optional(),
  /** The answers in order. After the last one the model answers `end`. */
  replies: z.array(
    z.strictObject({
      text: z.string().default(""),
      reasoning: z.string().optional(),
      calls: z
        .array(z.strictObject({ tool: z.string(), input: z.unknown().optional(), raw: z.string().optional(), id: z.string().optional() }))
        .default([]),
      /** The text arrives in pieces of this many characters, every `everyMs` milliseconds. */
      stream: z.strictObject({ characters: z.number().int().positive(), everyMs: z.number().nonnegative() }).optional(),
      /** Fails with this code this many times, then answers. */
      fail: z
        .strictObject({
          code: z.enum(["unauthorized", "bad_request", "rate_limited", "overloaded", "unreachable", "cut", "timeout"]),
          times: z.number().int().positive().default(1),
        })
        .optional(),
      /** The usage that the model reports. Everything else is 0. */
      usage: ScriptedUsage.optional(),
      /** Waits before the first piece. */
      delayMs: z.number().nonnegative().default(0),
    }),
  ),
  /** The answers to requests for a summary, a title and a commit message. */
  summary: z.string().default("A summary."),
  title: z.string().default("A title"),
  commit: z.string().default("Change files"),
  end: z.string().default("The script has come to its end."),
});
export type Script = z.infer<typeof Script>;

/** Reads a script. Throws a `ModelError` that describes the problem. */
async function readScript(file: string): Promise<Script> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ModelError("no_model", `The script ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return Script.parse(JSON.parse(text));
  } catch (error) {
    throw new ModelError(
      "no_model",
      `The file ${file} is not a valid script: ${error instanceof z.ZodError ? z.prettifyError(error) : String(error)}`,
    );
  }
}

/** Reads a script again only if its file has changed. */
export function scriptFile(file: string): () => Promise<Script> {
  let read: { stamp: string; script: Script } | undefined;
  return async () => {
    const stats = await stat(file).catch(() => undefined);
    const stamp = `${stats?.mtimeMs} ${stats?.size}`;
    if (read?.stamp !== stamp) read = { stamp, script: await readScript(file) };
    return read.script;
  };
}

/** A model that follows a script. Everything around it is real. */
export function scriptedModel(load: () => Promise<Script>): Model {
  const failures = new Map<string, number>();
  const answer: (...call: Parameters<Model>) => Promise<ModelReply> = async ({ sessionId, messages, purpose }, onPart, signal) => {
    const script = await load();
    if (purpose) return { text: script[purpose], calls: [], usage: noUsage, finish: "stop" };
    const done = repliesIn(messages);
    const reply = script.replies[done];
    if (!reply) {
      onPart({ type: "text", text: script.end });
      return { text: script.end, calls: [], usage: noUsage, finish: "stop" };
    }
    if (reply.delayMs > 0) await wait(reply.delayMs, undefined, { signal });
    if (reply.fail) failTimes(reply.fail, `${sessionId} ${done}`, failures);
    await speak(reply.text, reply.stream, onPart, signal);
    signal.throwIfAborted();
    return wholeReply(reply, done);
  };
  return (...call) =>
    answer(...call).catch((error: unknown) => {
      if (error instanceof ModelError) return { failed: error.failure };
      throw error;
    });
}

const repliesIn = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + repliesOf(message), 0);

function repliesOf(message: Parameters<typeof repliesIn>[0][number]): number {
  if (message.role === "assistant") return 1;
  return message.role === "user" ? (message.replies ?? 0) : 0;
}

function failTimes({ code, times }: { code: ModelFault; times: number }, key: string, failures: Map<string, number>): void {
  const before = failures.get(key) ?? 0;
  failures.set(key, before + 1);
  if (before < times) throw new ModelError(code, `The script fails here with ${code} (${before + 1} of ${times}).`);
}

async function speak(
  text: string,
  stream: { characters: number; everyMs: number } | undefined,
  onPart: Parameters<Model>[1],
  signal: AbortSignal,
): Promise<void> {
  if (text === "") return;
  const { characters, everyMs } = stream ?? { characters: text.length, everyMs: 0 };
  for (let at = 0; at < text.length; at += characters) {
    if (everyMs > 0) await wait(everyMs, undefined, { signal });
    onPart({ type: "text", text: text.slice(at, at + characters) });
  }
}

function wholeReply({ text, reasoning, calls, usage = {} }: Script["replies"][number], done: number): ModelReply {
  return {
    text,
    calls: calls.map(({ tool, input, raw, id }, i) => ({
      providerId: id ?? `call_${done}_${i}`,
      tool,
      ...(raw === undefined ? { input: input ?? {} } : { raw }),
    })),
    usage: { ...noUsage, ...omitUndefined(usage) },
    finish: calls.length > 0 ? "tool-calls" : "stop",
    ...omitUndefined({ reasoning }),
  };
}
