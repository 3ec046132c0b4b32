import type { LoggedEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import { runDetached } from "@baton/core/client/run-detached";
import type { ConnectionState } from "../connection/daemon-connection.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import type { RequestCircumstances } from "./request-policy.ts";
import type { TurnEvent, TurnResult } from "./turn-collector.ts";
import { writeSentences } from "../render/wrap-sentences.ts";
import { EMPTY_ANSWER_TEXT } from "@baton/core/text/format";

export type RunReporter = {
  item: (item: TurnEvent) => void;
  request: (request: Request, circumstances: RequestCircumstances) => void;
  connection: (state: ConnectionState, problem?: string) => void;
  warn: (message: string) => void;
  result: (result: TurnResult) => Promise<void>;
  /** Sets the source of the partial result, which is printed if the turn breaks off. */
  begun: (soFar: () => TurnResult) => void;
  /** Reports that no turn ran, or that it broke off. The caller prints the error. */
  broken: (message: string) => void;
};

/** The output of `baton run`: JSON lines on stdout, or text on stdout with progress on stderr. */
export const runReporter = ({ json }: { json: boolean }): RunReporter => (json ? jsonOutlet() : textOutlet());

const warn = (message: string) => writeSentences(process.stderr, [message]);

function connection(state: ConnectionState, problem?: string): void {
  if (state !== "connected")
    warn(
      problem ??
        (state === "stopped"
          ? "The daemon was stopped. Waiting until it starts again."
          : "The connection to the daemon was lost. Reconnecting."),
    );
}

function jsonOutlet(): RunReporter {
  const line = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`);
  const last = ({ interrupted: _, timedOut: __, fault: ___, ...result }: TurnResult) => line({ type: "result", ...result });
  let soFar: (() => TurnResult) | undefined;
  return {
    item: (item) => line("event" in item ? eventLine(item.event) : item),
    request: (request, { left }) => {
      if (left) runDetached(hinted(request), (error) => warn(errorMessage(error)));
    },
    connection,
    warn,
    result: async (result) => last(result),
    begun: (circumstances) => (soFar = circumstances),
    broken: (message) =>
      soFar
        ? last({ ...soFar(), status: "failed", message })
        : line({ type: "result", session: null, status: "failed", ...NOTHING, message }),
  };
}

const NOTHING = {
  text: "",
  usage: { input: 0, cachedInput: 0, output: 0, cost: 0 },
  steps: 0,
  requests: { opened: 0, answered: 0, denied: 0 },
};

const hinted = async (request: Request) => warn((await import("../render/request/answer-hint.ts")).answerLines(request).join("\n"));

/** Puts `seq` and `type` first, for people who read the lines. */
const eventLine = ({ seq, type, ...rest }: LoggedEvent) => ({ seq, type, ...rest });

/** Loads the drawing code only when needed. A plain answer into a pipe does not need it. */
function textOutlet(): RunReporter {
  const before: TurnEvent[] = [];
  let drawing: Promise<(item: TurnEvent) => void> | undefined;
  let work: Promise<void> = Promise.resolve();
  const load = async () => {
    const draw = (await import("./run-renderer.ts")).runRenderer();
    for (const item of before) draw(item);
    return draw;
  };
  return {
    item: (item) => {
      if ("frame" in item) return;
      if (!drawing && !isSeen(item.event)) return void before.push(item);
      drawing ??= load();
      const draw = drawing;
      work = work.then(async () => (await draw)(item));
    },
    request: (request, circumstances) => {
      work = work.then(async () => (await import("./run-renderer.ts")).drawRequest(request, circumstances));
    },
    connection,
    warn,
    result: async ({ status, text, message, session }) => {
      await work;
      if (!process.stdout.isTTY && text !== "") process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
      if (status === "completed" && text === "" && !drawing) warn(EMPTY_ANSWER_TEXT);
      if (status === "waiting") warn(`A request is still open: \`baton attach ${session}\` or \`baton inbox\`.`);
      else if (status !== "completed" && message !== undefined && !process.stdout.isTTY && !drawing) warn(message);
    },
    begun: () => undefined,
    broken: () => undefined,
  };
}

/** Whether an event needs drawing. A plain answer does not. */
function isSeen(event: LoggedEvent): boolean {
  if (process.stdout.isTTY) return true;
  if (event.type === "model.replied") return event.calls.length > 0;
  return !PLAIN.has(event.type) && !(event.type === "turn.ended" && event.reason === "completed");
}

const PLAIN = new Set<LoggedEvent["type"]>([
  "session.created",
  "prompt.received",
  "prompt.delivered",
  "model.started",
  "model.kept",
  "model.spent",
]);
