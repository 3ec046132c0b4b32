import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { addUsage } from "@baton/core/session/usage/add-usage";
import { followEvents } from "@baton/core/client/follow-events";
import type { Rule } from "@baton/core/protocol/rule";
import { UNATTENDED } from "@baton/core/text/request/answer-origin";
import { actions, knowsAction, unknownActionMessage } from "@baton/core/permission/known-actions";
import { toolTable } from "@baton/core/tool/tool-table";
import { oneLine } from "@baton/core/text/sanitize";
import { formatDuration } from "@baton/core/text/format";
import { parseRule } from "@baton/core/text/rule-text";
import { newCommandId } from "@baton/core/client/command-client";
import { refusalOf, errorMessage } from "@baton/core/client/rpc-errors";
import { type OnRequest, applyRequestPolicy, requestPolicy, watchSubtasks } from "./request-policy.ts";
import { findSession } from "../connection/find-by-id.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { openDaemonConnection, type Api, type DaemonConnection } from "../connection/daemon-connection.ts";
import { formatDiagnostic, hasPosition } from "../commands/mode/format-diagnostic.ts";
import { readPromptText } from "./prompt-text.ts";
import { runReporter, type RunReporter } from "./run-reporter.ts";
import { rootsOf, type RootOptions } from "../commands/session/folder-options.ts";
import type { ExpectedAnswer } from "./answer-schema.ts";
import { collectTurn, type TurnResult } from "./turn-collector.ts";
import { EXIT_CODES, usageError } from "../connection/exit-codes.ts";
import { resolveWorkspace } from "../connection/resolve-workspace.ts";

export type RunOptions = RootOptions & {
  mode?: string;
  model?: string;
  cwd?: string;
  session?: string;
  continue?: boolean;
  /** Work in a place: `new`, or its name or a pull request. */
  place?: string;
  /** The base of a new place. */
  base?: string;
  /** How often the prompt is tried, each time in a place of its own. */
  versions?: number;
  onRequest?: OnRequest;
  maxSteps?: number;
  /** The time in milliseconds after which the turn is stopped. */
  timeout?: number;
  /** Rules for this session, as the user types them. */
  allow?: string[];
  json?: boolean;
  /** A file with a JSON Schema for the final answer. */
  schema?: string;
};

/** Runs one turn without a screen. The exit code tells how it ended. */
export async function run(argument: string | undefined, options: RunOptions): Promise<void> {
  const out = runReporter({ json: options.json ?? false });
  try {
    await runWith(out, argument, options);
  } catch (error) {
    out.broken(errorMessage(error));
    throw error;
  }
}

async function runWith(out: RunReporter, argument: string | undefined, options: RunOptions): Promise<void> {
  const onRequest = options.onRequest ?? (process.stdin.isTTY && process.stderr.isTTY && !options.json ? "ask" : "deny");
  if (options.session !== undefined && options.continue) throw usageError("Give either --session or --continue, not both.");
  allowedRules(options.allow ?? []); // wrong usage is reported before anything happens
  const { text, typed } = await readPromptText(argument, out.warn);
  const source = resolveWorkspace(options.cwd);
  checkPlaceOptions(options);
  const expected = options.schema === undefined ? undefined : (await import("./answer-schema.ts")).expectedAnswer(options.schema);
  const client = onRequest === "ask" ? "run" : UNATTENDED;
  const link = await openDaemonConnection({ client, onState: (state, problem) => out.connection(state, problem) });
  try {
    if (link.otherBuild !== undefined) out.warn(link.otherBuild);
    await warnAboutSettings(link.api, source, out);
    if (options.versions !== undefined || options.model?.includes(",")) return await runInVersions(link, text, source, options, out);
    const workspace = options.place === undefined ? source : await placeFor(link, source, options, out);
    // Only typed text names files or slash commands; piped text may come from any source.
    if (typed.startsWith("/")) await checkSlashCommand(link, typed, workspace, options);
    const images = typed.includes("@")
      ? await (await import("./upload-attachments.ts")).uploadAttachments(typed, foldersOf(workspace, options), link.api)
      : [];
    const turn: Turn = (turnPrompt, more = options) => runTurn(link, turnPrompt, workspace, onRequest, more, out);
    const result = expected ? await runWithSchema(expected, { text, images }, options, turn) : await turn({ text, images });
    await out.result(result);
    if (result.fault === "no_model" || result.fault === "unauthorized") await warnAboutKeys(link.api, out);
    process.exitCode = turnExitCode(result);
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code === "no_model" || code === "model_not_found") await warnAboutKeys(link.api, out);
    throw error;
  } finally {
    await link.close();
  }
}

const MAX_WARNINGS = 5;

/** Names the problems of the settings, such as a misspelled key, because a headless run has no screen that shows them. */
async function warnAboutSettings(api: Api, workspace: string, out: RunReporter): Promise<void> {
  const { diagnostics } = await api.daemon.status.query({ cwd: workspace });
  const lines = diagnostics.filter(hasPosition).map(formatDiagnostic);
  for (const line of lines.slice(0, MAX_WARNINGS)) out.warn(oneLine(line));
  if (lines.length > MAX_WARNINGS) out.warn(`${lines.length - MAX_WARNINGS} more problems of the settings: \`baton doctor\` shows them.`);
}

function checkPlaceOptions({ place, base, versions, session, continue: goOn, schema, model }: RunOptions): void {
  const isInPlace = place !== undefined || versions !== undefined;
  if (isInPlace && (session !== undefined || goOn))
    throw usageError("A session stays in its folder, so --place has no meaning with --session or --continue.");
  if (base !== undefined && !isInPlace) throw usageError("--base is the base of a new place. Add --place new.");
  if ((versions !== undefined || model?.includes(",")) && schema !== undefined)
    throw usageError("--schema has no meaning with several versions. Leave one of them out.");
}

const placeName = ({ place = "new" }: RunOptions): string | true => (place === "new" ? true : place);

/** The folder of the place in which the turn runs. */
async function placeFor({ api }: DaemonConnection, source: string, options: RunOptions, out: RunReporter): Promise<string> {
  const { findOrCreatePlace, placeSentence } = await import("../commands/place/find-or-create-place.ts");
  const place = await findOrCreatePlace(api, source, { place: placeName(options), base: options.base }, { ask: false });
  out.warn(placeSentence(place));
  return place.workspace;
}

/** Tries the prompt several times. The exit code is that of the worst version. */
async function runInVersions(link: DaemonConnection, text: string, source: string, options: RunOptions, out: RunReporter): Promise<void> {
  const { countVersions, runVersions, versionLines } = await import("./run-versions.ts");
  const { onRequest = "fail", model: models, versions, ...rest } = options;
  const name = placeName(options);
  const wanted = { workspace: source, ...countVersions(versions, models), name: name === true ? undefined : name, base: options.base };
  const turn = (place: { workspace: string }, model: string | undefined, reporter: RunReporter) =>
    runTurn(link, { text }, place.workspace, onRequest, { ...rest, ...omitUndefined({ model }) }, reporter);
  const done = await runVersions(link.api, wanted, turn, out);
  process.stdout.write(options.json ? `${JSON.stringify({ versions: done })}\n` : `${versionLines(done).join("\n")}\n`);
  process.exitCode = Math.max(...done.map(({ result }) => turnExitCode(result)));
}

/** Slash commands belong to the folder of the session. */
async function checkSlashCommand(link: DaemonConnection, text: string, workspace: string, { session }: RunOptions): Promise<void> {
  const { rejectUnknownSlash } = await import("./reject-unknown-slash.ts");
  await rejectUnknownSlash(link.api, session === undefined ? workspace : (await findSession(link.api, session)).workspace, text);
}

type TurnPrompt = { text: string; images?: AttachmentRef[] };
type Turn = (turnPrompt: TurnPrompt, options?: RunOptions) => Promise<TurnResult>;

/** Runs a turn with a schema. If the answer does not match, asks once more. */
async function runWithSchema(
  expected: ExpectedAnswer,
  { text, images = [] }: TurnPrompt,
  options: RunOptions,
  turn: Turn,
): Promise<TurnResult> {
  const first = await turn({ text: expected.ask(text), images });
  if (first.status !== "completed") return first;
  const read = expected.read(first.text);
  if ("output" in read) return withOutput(first, read.output);
  const again = await turn({ text: expected.repair(read.problem) }, { ...options, continue: false, session: first.session });
  const both = {
    ...again,
    usage: addUsage(first.usage, again.usage),
    steps: first.steps + again.steps,
    requests: addRequests(first, again),
  };
  if (again.status !== "completed") return both;
  const reread = expected.read(again.text);
  if ("output" in reread) return withOutput(both, reread.output);
  return { ...both, status: "failed", message: `The answer does not match the schema: ${reread.problem}.` };
}

const withOutput = (result: TurnResult, output: unknown): TurnResult => ({ ...result, text: JSON.stringify(output), output });

const addRequests = ({ requests: a }: TurnResult, { requests: b }: TurnResult) => ({
  opened: a.opened + b.opened,
  answered: a.answered + b.answered,
  denied: a.denied + b.denied,
});

async function runTurn(
  link: DaemonConnection,
  { text, images = [] }: TurnPrompt,
  workspace: string,
  onRequest: OnRequest | "ask",
  options: RunOptions,
  out: RunReporter,
): Promise<TurnResult> {
  const { api } = link;
  const { id, seq, mode: begunIn } = await sessionFor(link, workspace, options);
  for (const [i, rule] of allowedRules(options.allow ?? []).entries())
    await api.session.send.mutate({ sessionId: id, wish: { type: "grant", grantId: `run-${i + 1}`, rule } });
  const promptId = newCommandId();
  const turn = collectTurn(id, promptId, begunIn);
  out.begun(() => turn.result());
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<TurnResult>();

  const react = requestPolicy({ onRequest, link, reporter: out, leave: () => end(turn.result("waiting")) });
  let forget: (() => void) | undefined;
  if (options.session === undefined) runDetached(warnAboutTrust(api, workspace, out), (error) => out.warn(errorMessage(error)));
  const following = followEvents(api, id, seq, {
    onBatch: (events, frames) => {
      for (const item of turn.take(events, frames)) out.item(item);
      for (const event of events) {
        applyRequestPolicy(event, turn.mode, react);
        if (event.type === "tool.started") forget ??= watchSubtasks(link, id, turn.counted(react));
      }
      if (turn.over()) end(turn.result());
    },
    onError: fail,
  });
  const stop = () => void api.session.send.mutate({ sessionId: id, wish: { type: "interrupt" } }).catch(() => end(turn.result("stopped")));
  const interrupts = onInterrupt(() => {
    turn.interrupt();
    stop();
  });
  let timedOut = false;
  const timer = options.timeout === undefined ? undefined : setTimeout(() => ((timedOut = true), stop()), options.timeout);
  try {
    const { mode, model, maxSteps } = options;
    const command = {
      type: "prompt" as const,
      promptId,
      text,
      delivery: "queue" as const,
      ...omitUndefined({ mode, model, stepLimit: maxSteps }),
      ...(images.length === 0 ? {} : { images }),
    };
    await Promise.race([api.session.send.mutate({ sessionId: id, wish: command }), ended]);
    const result = await ended;
    if (!timedOut || result.status === "completed") return result;
    const message = `The turn was stopped after ${formatDuration(options.timeout ?? 0)} (--timeout).`;
    out.warn(message);
    return { ...result, message, timedOut: true };
  } finally {
    clearTimeout(timer);
    interrupts();
    following.unsubscribe();
    forget?.();
  }
}

/** Everything that a rule may name: actions and built-in tools. */
const knownActions = [...actions, ...toolTable.map(({ name }) => name)];

/** The rules of `--allow`. They hold in this session only; denies, gates and the mode still apply. */
function allowedRules(typed: readonly string[]): Rule[] {
  return typed.map((text) => {
    const rule = parseRule(text.trim(), undefined);
    if (rule && !knowsAction(rule.action, knownActions))
      throw usageError(`--allow "${text}": ${unknownActionMessage(rule.action, knownActions)}`);
    if (rule) return rule;
    throw usageError(`--allow "${text}" is not a rule. Write an action and a resource, such as: --allow "command npm test"`);
  });
}

/** Warns about keys that are set here but missing in the daemon. */
async function warnAboutKeys(api: Api, out: RunReporter): Promise<void> {
  const { apiKeysUnknownToDaemon, unknownKeyText } = await import("../connection/api-keys-unknown-to-daemon.ts");
  for (const key of await apiKeysUnknownToDaemon(api, process.env)) out.warn(unknownKeyText(key));
}

/** Warns that an undecided folder is not trusted, because `baton run` does not ask. */
async function warnAboutTrust(api: Api, cwd: string, out: RunReporter): Promise<void> {
  const { trust, files } = await api.workspace.status.query({ cwd });
  if (trust !== "unknown" || files.length === 0) return;
  out.warn(`This folder is not trusted, so Baton ignores ${files.join(", ")}. \`baton trust\` trusts it.`);
}

/** The given session, the newest one of this workspace, or a new one. */
async function sessionFor(
  { api }: DaemonConnection,
  workspace: string,
  options: RunOptions,
): Promise<{ id: string; seq: number; mode: string }> {
  const { session, continue: goOn, mode, model } = options;
  if (session !== undefined) return findSession(api, session);
  if (goOn) {
    const newest = (await api.session.list.query({ workspace })).find(({ parentId }) => parentId === null);
    if (!newest) throw usageError(`There is no session in ${workspace} to continue.`);
    return newest;
  }
  const roots = rootsOf(options);
  const { id } = await api.session.create.mutate({
    workspace,
    ...(roots.length === 0 ? {} : { roots }),
    ...omitUndefined({ mode, model }),
  });
  if (id === undefined) throw new Error("the daemon created a session without an id");
  return { id, seq: 0, mode: mode ?? "" }; // its first event tells the default mode
}

/** How long a turn may take to stop, even if the daemon does not answer. */
const STOP_MS = 5_000;

/** The first Ctrl+C stops the turn, the second exits. The first one also exits if the turn does not stop in time. */
function onInterrupt(stop: () => void): () => void {
  let times = 0;
  const interrupted = () => {
    if (++times > 1) process.exit(EXIT_CODES.interrupted);
    setTimeout(() => process.exit(EXIT_CODES.interrupted), STOP_MS).unref();
    stop();
  };
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  return () => {
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
  };
}

function turnExitCode({ status, interrupted, timedOut, fault }: TurnResult): number {
  if (interrupted) return EXIT_CODES.interrupted;
  if (timedOut) return EXIT_CODES.timedOut;
  switch (status) {
    case "completed":
      return EXIT_CODES.done;
    case "waiting":
      return EXIT_CODES.requestLeft;
    case "denied":
    case "limit":
      return EXIT_CODES.denied;
    case "failed":
      return fault === "no_model" ? EXIT_CODES.usage : EXIT_CODES.failed;
    case "stopped":
    case "blocked":
      return EXIT_CODES.failed;
  }
}

/** The folders in which a prompt can name files. */
const foldersOf = (workspace: string, options: RunOptions): string[] => [workspace, ...rootsOf(options).map(({ path }) => path)];
