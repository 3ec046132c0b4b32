import { omitUndefined } from "@baton/core/text/omit-undefined";
import { HookEvent, matcherValues, type HookOutcome, type HookRun } from "@baton/core/protocol/hook";
import { hookReport, hookTitle } from "@baton/core/session/hook-report";
import { approvalStatusText } from "@baton/core/text/approval-status-text";
import { closestMatch } from "@baton/core/text/closest-match";
import { formatAge, shortenHome } from "@baton/core/text/format";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { isRecord, parseJson } from "@baton/core/text/json";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { truncate } from "../../render/layout.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

export type HookTestOptions = { tool?: string; input?: string; value?: string; prompt?: string; mode?: string; json?: boolean };
export type HookLogOptions = { limit: number; json?: boolean };

type HookList = Awaited<ReturnType<Api["hook"]["list"]["query"]>>;
type HookRow = HookList["hooks"][number];

/** The status of a hook, with the next step if it waits. */
const statusOf = (status: HookRow["status"]): string =>
  `${approvalStatusText[status]}${status === "undecided" ? ": Baton asks when it first needs the hook, or use `baton hooks approve`" : ""}`;

/** The events whose matchers name a tool. */
const ABOUT_TOOLS: ReadonlySet<HookEvent> = new Set(["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"]);

const NO_HOOKS = "No hooks. `baton help hooks` says how to write one, and how to use those of Claude Code and Codex.";

/** Lists the hooks of this folder by event, and the problems of their files. */
export async function listHooks({ json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { hooks, problems } = await api.hook.list.query({ cwd: resolveWorkspace() });
    if (json) return printJson({ hooks, problems });
    const { ansi } = terminalStyle();
    if (hooks.length === 0 && problems.length === 0) return printLines([NO_HOOKS]);
    printLines([
      ...[...Map.groupBy(hooks, ({ event }) => event)].flatMap(([event, rows]) => [
        ansi.bold(event),
        ...rows.flatMap((row) => hookLines(row)),
      ]),
      ...problems.map(({ file, line, severity, message }) =>
        severity === "error" ? ansi.failure(`${file}:${line}: ${message}`) : `${file}:${line}: ${message}`,
      ),
    ]);
  });
}

/** Lets hooks run or never run. Shows each first, because a hook runs with the permissions of the user. */
export async function setHookApproval(starts: readonly string[], approved: boolean, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const cwd = resolveWorkspace();
    const { hooks } = await api.hook.list.query({ cwd });
    const unknown = starts.find((start) => !hooks.some(({ hash }) => hash.startsWith(start)));
    if (unknown !== undefined)
      throw usageError(`No hook of this folder has a hash that begins with ${unknown}. \`baton hooks\` lists them.`);
    const chosen = hooks.filter(({ hash, status }) =>
      starts.length === 0 ? status === "undecided" : starts.some((start) => hash.startsWith(start)),
    );
    if (chosen.length === 0) return printLines(["No hook waits for you here."]);
    const hashes = chosen.map(({ hash }) => hash);
    const settled = await api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes, approved });
    if (json) printJson(settled);
    else printLines(settled.flatMap((row) => [`${row.event}  ${row.source}`, ...hookLines(row)]));
  });
}

function hookLines({ matcher, condition, run, layer, source, status, async, once, onFailure, timeout, hash }: HookRow): string[] {
  const { ansi } = terminalStyle();
  const about = [
    ...(matcher === null || matcher === "" ? [] : [`matcher ${matcher}`]),
    ...(condition === null ? [] : [`if ${condition}`]),
    `${timeout} s`,
    ...(async ? ["async"] : []),
    ...(once ? ["once"] : []),
    `if it fails: ${onFailure}`,
  ];
  return [
    `  ${oneLine(run)}`,
    ansi.dim(`    ${layer}, ${source}; ${oneLine(about.join(", "))}; hash ${hash.slice(0, 8)}`),
    status === "approved" ? ansi.dim(`    ${statusOf(status)}`) : `    ${statusOf(status)}`,
  ];
}

/** Runs the approved hooks of an event and shows what each decides. */
export async function testHooks(named: string, { input, json = false, ...options }: HookTestOptions): Promise<void> {
  const event = HookEvent.safeParse(named);
  if (!event.success) {
    const meant = closestMatch(named, HookEvent.options);
    throw usageError(
      `There is no event ${named}.${meant ? ` Did you mean ${meant}?` : ` The events are: ${HookEvent.options.join(", ")}.`}`,
    );
  }
  const parsed = parseInput(input);
  await withConnection(async ({ api }) => {
    const cwd = resolveWorkspace();
    const tests = await api.hook.test.mutate({
      commandId: crypto.randomUUID(),
      cwd,
      event: event.data,
      ...options,
      ...omitUndefined({ input: parsed }),
    });
    if (json) return printJson(tests);
    if (tests.length === 0) {
      return printLines([`No hook runs for this ${event.data}${missingSubject(event.data, options)} \`baton hooks\` lists all of them.`]);
    }
    printLines(
      tests.flatMap(({ hook, outcome }) => {
        const run = { event: hook.event, hook: { ...hook, name: truncate(oneLine(hook.run), MAX_NAME) } };
        if (!outcome) return [`${hookTitle(run)} ${statusOf(hook.status)}.`];
        return outcomeLines(run, outcome, `has nothing to say (${outcome.tookMs} ms).`);
      }),
    );
  });
}

/** What a test without a hook lacks. A full stop if it lacks nothing. */
function missingSubject(event: HookEvent, { tool, value }: HookTestOptions): string {
  if (tool === undefined && ABOUT_TOOLS.has(event)) return " without a tool. --tool names one, and";
  const values = matcherValues[event] ?? [];
  return value === undefined && values.length > 1 ? ` without a value. --value names one of ${values.join(", ")}, and` : ".";
}

/** The width of a command in the name of a hook, and of a text that a hook adds. */
const MAX_NAME = 60;
const MAX_ADDED = 500;

/** The decision of a hook, and what it changes and adds. `silent`: the words for a hook that says nothing. */
function outcomeLines(run: Pick<HookRun, "event" | "hook">, outcome: HookOutcome, silent: string): string[] {
  const { input, context } = outcome;
  const report = hookReport(run, outcome)?.text;
  const added = context === undefined ? undefined : `adds for the model: ${truncate(oneLine(context), MAX_ADDED)}`;
  return [
    sanitize(report ?? `${hookTitle(run)} ${added ?? silent}`),
    ...(input === undefined ? [] : [`  The arguments are now ${truncate(oneLine(JSON.stringify(input)), MAX_ADDED)}`]),
    ...(report !== undefined && added !== undefined ? [`  It ${added}`] : []),
  ];
}

function parseInput(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (isRecord(value)) return value;
  throw usageError(`--input needs the arguments as a JSON object, such as '{"command":"git push"}'.`);
}

type LoggedRun = { sessionId: string; title: string; at: number; run: HookRun; text: string; tookMs: number | null };

const NEWEST_SESSIONS = 20;
const MAX_EVENTS = 5_000;

/** Lists the runs of hooks, newest first. */
export async function logHooks(reference: string | undefined, { limit, json = false }: HookLogOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const sessions =
      reference === undefined
        ? await api.session.list.query({ workspace: resolveWorkspace(), limit: NEWEST_SESSIONS })
        : [await findSession(api, reference)];
    const runs = (await Promise.all(sessions.map(({ id, title }) => runsOf(api, id, title)))).flat();
    const newest = runs.toSorted((a, b) => b.at - a.at).slice(0, limit);
    if (json) return printJson(newest);
    const { ansi, now, home } = terminalStyle();
    if (newest.length === 0)
      return printLines([`No hook has run in ${reference === undefined ? shortenHome(resolveWorkspace(), home) : reference}.`]);
    printLines(
      newest.flatMap(({ sessionId, at, run, text, tookMs }) => [
        `${run.event}  ${sanitize(text)}`,
        ansi.dim(`  ${sessionId}, ${formatAge(now - at)}${tookMs === null ? "" : `, ${tookMs} ms`}`),
      ]),
    );
  });
}

async function runsOf(api: Api, sessionId: string, title: string): Promise<LoggedRun[]> {
  const { events } = await api.session.open.query({ sessionId, tail: MAX_EVENTS });
  const ends = new Map(events.flatMap((event) => (event.type === "hook.finished" ? [[event.runId, event.outcome] as const] : [])));
  return events.flatMap((event) => {
    if (event.type !== "hook.started") return [];
    const { run, at } = event;
    const outcome = ends.get(run.id);
    const text = outcome ? outcomeLines(run, outcome, "had nothing to say.").join("\n") : `${hookTitle(run)} has not ended.`;
    return [{ sessionId, title, at, run, text, tookMs: outcome?.tookMs ?? null }];
  });
}
