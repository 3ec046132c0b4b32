import { createInterface } from "node:readline";
import { homedir } from "node:os";
import type { AdditionalRoot, TurnEndReason } from "@baton/core/protocol/event";
import { isUnfinishedCall, type Entry, entryKind } from "@baton/core/session/transcript/entry";
import { openRequests } from "@baton/core/session/state";
import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import { refusalOf, errorMessage } from "@baton/core/client/rpc-errors";
import { clientName } from "@baton/core/text/request/answer-origin";
import { oneLine } from "@baton/core/text/sanitize";
import { entryLines } from "../render/transcript/entry.ts";
import { plainEntryLines, plainRequestLines } from "../render/transcript/plain-lines.ts";
import { requestLines } from "../render/request/request.ts";
import { needsBlankLine } from "../render/transcript/transcript.ts";
import { normalizePrompt } from "@baton/core/text/slash-command";
import { parseTypedAnswer } from "./prompt-for-answer.ts";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import { runDetached } from "@baton/core/client/run-detached";
import { uploadAttachments } from "./upload-attachments.ts";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import { terminalStyle } from "../commands/output.ts";
import { rejectUnknownSlash } from "./reject-unknown-slash.ts";
import { createCommands } from "@baton/core/client/command-client";

type LineClientOptions = {
  workspace: string;
  mode: string;
  model: string | undefined;
  /** Folders that a new session may use besides its workspace. */
  roots?: readonly AdditionalRoot[];
  sessionId?: string | undefined;
  /** Whether to print plain facts in ASCII instead of the drawing of the terminal client. */
  facts: boolean;
  /** Sent as the first prompt. */
  prompt?: string;
  /** Answers requests automatically and visibly, reads no lines, and ends after the first turn. */
  answerItself?: (request: Request) => RequestAnswer;
};

/** The client for a terminal without redraw. Returns how the last turn ended. */
export async function lineClient(link: DaemonConnection, options: LineClientOptions): Promise<TurnEndReason | undefined> {
  const commands = createCommands(link.api);
  const print = (lines: readonly string[]) => void process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  const drawn = new Set<string>();
  const announced = new Set<string>();
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  let previous: Entry["kind"] | undefined;
  let view: SessionView | undefined;
  let answeredId: string | undefined;

  const show = (entry: Entry) => {
    drawn.add(entry.id);
    const lines = options.facts ? plainEntryLines(entry) : entryLines(entry, terminalStyle());
    if (lines.length === 0) return;
    print(!options.facts && previous && needsBlankLine(previous, entryKind(entry)) ? ["", ...lines] : lines);
    previous = entryKind(entry);
  };
  const answer = async (request: Request, what: RequestAnswer) => {
    answeredId = request.id;
    try {
      await commands.answer(request, what);
    } catch (error) {
      const winner = refusalOf(error)?.winner;
      print([
        winner
          ? `[late] ${clientName(winner.by)} answered first: ${winner.answer.choice ?? oneLine(winner.answer.text ?? "")}`
          : `[refused] ${errorMessage(error)}`,
      ]);
    }
  };
  const update = () => {
    if (!view) return;
    for (const entry of view.transcript.entries) if (!drawn.has(entry.id) && isFinal(entry)) show(entry);
    const open = openRequests(view.state);
    for (const [i, request] of open.entries()) {
      if (announced.has(request.id)) continue;
      announced.add(request.id);
      const lines = options.facts
        ? plainRequestLines(request, i + 1, open.length, homedir())
        : requestLines(request, { mode: view.state.mode, nth: i + 1, of: open.length }, terminalStyle(), {}, "digits");
      print(options.facts ? lines : ["", ...lines]);
      if (!options.answerItself) continue;
      const what = options.answerItself(request);
      print([...(options.facts ? [] : [""]), `answer> ${what.choice ?? oneLine(what.text ?? "")}   (given by the demo)`]);
      runDetached(answer(request, what), (error) => print([errorMessage(error)]));
    }
    if (options.answerItself && view.state.lastTurn && !view.state.turn) end();
  };
  const followed = async (id: string) => {
    view = await openSessionView(link.api, id, {
      onChange: (events) => {
        for (const event of events)
          if (event.type === "request.answered" && event.requestId !== answeredId)
            print([`[answered] ${clientName(event.by)}: ${event.answer.choice ?? oneLine(event.answer.text ?? "")}`]);
        update();
      },
      onReopened: update,
      onError: (error) => print([errorMessage(error)]),
    });
    update();
  };
  const send = async (typed: string) => {
    const text = normalizePrompt(typed);
    await rejectUnknownSlash(link.api, view?.state.workspace ?? options.workspace, text);
    const roots = view?.state.roots ?? options.roots ?? [];
    const images = await uploadAttachments(text, [options.workspace, ...roots.map(({ path }) => path)], link.api);
    if (!view) await followed(await commands.start(options.workspace, options.mode, options.model, options.roots));
    if (view) await commands.prompt(view.id, { text, images }, "queue");
  };

  if (options.sessionId !== undefined) await followed(options.sessionId);
  if (options.prompt !== undefined) await send(options.prompt);
  if (!options.answerItself)
    readLines(
      (line) =>
        takeLine(line, () => (view ? openRequests(view.state).find(({ id }) => announced.has(id)) : undefined), { answer, send, print }),
      end,
    );
  await done;
  view?.close();
  return view?.state.lastTurn?.reason;
}

type Taking = {
  answer: (request: Request, answer: RequestAnswer) => Promise<void>;
  send: (text: string) => Promise<void>;
  print: (lines: readonly string[]) => void;
};

/** A line answers the oldest open request; without one it is a prompt. */
async function takeLine(line: string, open: () => Request | undefined, { answer, send, print }: Taking): Promise<void> {
  const request = open();
  if (line.trim() === "") return;
  if (!request) return send(line).catch((error: unknown) => print([errorMessage(error)]));
  const what = parseTypedAnswer(request, line);
  if (typeof what === "string") print([what]);
  else await answer(request, what);
}

function readLines(take: (line: string) => Promise<void>, end: () => void): void {
  const input = createInterface({ input: process.stdin, terminal: false });
  let taking = Promise.resolve();
  input.on("line", (line) => void (taking = taking.then(() => take(line))));
  input.on("close", () => runDetached(taking.finally(end), () => undefined));
}

const isFinal = (entry: Entry): boolean =>
  entry.kind === "call"
    ? !isUnfinishedCall(entry)
    : entry.kind !== "reply" || entry.phase === "done" || (entry.phase === "cut" && entry.failure?.retryAt === undefined);
