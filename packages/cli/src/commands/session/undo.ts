import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionCommand } from "@baton/core/protocol/command";
import { readAllEvents, followEvents } from "@baton/core/client/follow-events";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { resolveById, findSession } from "../../connection/find-by-id.ts";
import { type Api, withConnection } from "../../connection/daemon-connection.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";

export type UndoOptions = { to?: string; conversation?: boolean; partial?: boolean; preview?: boolean; list?: boolean; json?: boolean };

/**
 * Restores files to an earlier state, and prints them. A file that changed since stops the undo; `partial` skips such
 * files.
 */
export async function undoInSession(reference: string, { to, conversation = false, list = false, ...options }: UndoOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const session = await findSession(api, reference);
    if (list) return printPrompts(await listPrompts(api, session.id), options.json);
    const target = to === undefined ? {} : { promptId: await findPrompt(api, session.id, to) };
    const plan = await api.session.undoPlan.query({ sessionId: session.id, ...target }).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (conversation && refusal?.code === "nothing_to_undo") return refusal.message;
      throw error;
    });
    if (typeof plan === "string") {
      if (target.promptId === undefined)
        throw usageError(`${plan} Pass --to to name the prompt before which the conversation should continue.`);
      return rewind(api, session.id, { promptId: target.promptId, files: plan }, options);
    }
    const { promptId } = plan;
    await carryOut(api, session, plan, { type: "undo", conversation, ...omitUndefined({ promptId }) }, options);
  });
}

/** Takes only the conversation back, because no file changed since the prompt. */
async function rewind(
  api: Api,
  sessionId: string,
  { promptId, files }: { promptId: string; files: string },
  { preview = false, json = false }: UndoOptions,
): Promise<void> {
  if (!preview) await api.session.send.mutate({ sessionId, wish: { type: "rewind", promptId } });
  if (json) printJson({ promptId, files: [], unseen: [], done: !preview });
  else printLines([`${preview ? "The undo would take the conversation" : "The conversation is"} back to before this prompt. ${files}`]);
}

/** Redoes the last undo. */
export async function redoInSession(reference: string, options: Pick<UndoOptions, "partial" | "preview" | "json">): Promise<void> {
  await withConnection(async ({ api }) => {
    const session = await findSession(api, reference);
    const plan = await api.session.undoPlan.query({ sessionId: session.id, redo: true });
    await carryOut(api, session, plan, { type: "redo" }, options);
  });
}

type Plan = Awaited<ReturnType<Api["session"]["undoPlan"]["query"]>>;
type UndoCommand = Extract<SessionCommand, { type: "undo" | "redo" }>;

async function carryOut(
  api: Api,
  { id, seq }: { id: string; seq: number },
  plan: Plan,
  command: UndoCommand,
  { partial = false, preview = false, json = false }: Pick<UndoOptions, "partial" | "preview" | "json">,
): Promise<void> {
  const blocked = plan.files.filter(({ conflict }) => conflict);
  const isStopped = blocked.length > 0 && (!partial || blocked.length === plan.files.length);
  const send = () => api.session.send.mutate({ sessionId: id, wish: partial ? { ...command, partial } : command });
  const done = preview || isStopped ? undefined : await runUndo(api, { id, seq }, send);
  const why = new Map(done?.left.map((each) => [each.path, each.why]));
  if (json) printJson({ ...plan, done: done !== undefined, ...(done && done.left.length > 0 ? { left: done.left } : {}) });
  else {
    const headline = () => {
      if (isStopped) return "Nothing was changed:";
      if (preview) return `The ${command.type} would:`;
      return command.type === "undo" ? "Restored:" : "Redone:";
    };
    const fileLine = ({ path, to: then, conflict }: Plan["files"][number]) =>
      conflict || why.has(path)
        ? `  ${escapeInvisible(path)}: changed since; ${isStopped ? `blocks the ${command.type}` : "left as it is"}`
        : `  ${then === null ? "remove" : "restore"} ${escapeInvisible(path)}`;
    printLines([
      headline(),
      ...plan.files.map(fileLine),
      ...(plan.unseen.length === 0
        ? []
        : ["Other effects of these commands remain:", ...plan.unseen.slice(-MAX_UNSEEN).map((call) => `  ${escapeInvisible(call)}`)]),
    ]);
  }
  if (!isStopped || preview) return;
  const others = plan.files.length - blocked.length;
  const how =
    others === 0
      ? ""
      : `, or pass --partial to skip ${blocked.length === 1 ? "it" : "them"} and change the other ${formatCount(others, "file")}`;
  throw new CommandExit(`${formatCount(blocked.length, "file")} changed since then. Commit or move these changes${how}.`, EXIT_CODES.usage);
}

type UndoResult = { left: readonly { path: string; why: string }[] };

/** Starts an undo and waits for its end. Returns the files that Baton left as they are. */
async function runUndo(api: Api, { id, seq }: { id: string; seq: number }, begin: () => Promise<unknown>): Promise<UndoResult> {
  const { promise, resolve, reject } = Promise.withResolvers<UndoResult>();
  const following = followEvents(api, id, seq, {
    onBatch: (events) => events.forEach((event) => event.type === "undo.finished" && resolve(event)),
    onError: reject,
  });
  try {
    const [, finished] = await Promise.all([begin(), promise]);
    return finished;
  } finally {
    following.unsubscribe();
  }
}

/** Older ones are not listed. */
const MAX_UNSEEN = 8;

type Prompt = { id: string; text: string };

/** The user's prompts in this session, newest first. */
async function listPrompts(api: Api, sessionId: string): Promise<Prompt[]> {
  const transcript = transcriptOf(await readAllEvents(api, sessionId));
  return transcript.entries
    .flatMap((entry) => (entry.kind === "prompt" && entry.synthetic === undefined ? [{ id: entry.id, text: entry.text }] : []))
    .toReversed();
}

function printPrompts(prompts: readonly Prompt[], json = false): void {
  if (json) return printJson(prompts.map((prompt, i) => ({ number: i + 1, ...prompt })));
  printLines(prompts.map(({ text }, i) => `${String(i + 1).padStart(3)}  ${oneLine(text).slice(0, 100)}`));
}

/** A prompt of this session: by number (1 is the newest), by id, or by the start of the id. */
async function findPrompt(api: Api, sessionId: string, reference: string): Promise<string> {
  const prompts = await listPrompts(api, sessionId);
  const nth = /^\d{1,4}$/.test(reference) ? prompts[Number(reference) - 1] : undefined;
  return (nth ?? resolveById<Prompt>(reference, prompts, { one: "prompt", where: `\`baton undo ${sessionId} --list\` numbers them.` })).id;
}
