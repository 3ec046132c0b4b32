import type { CallDiagnostics } from "@baton/core/protocol/tool-call";
import type { PromptId } from "@baton/core/protocol/ids";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import type { EffectContext } from "../../effects/effect-context.ts";
import { runInBackground } from "../../run-in-background.ts";
import type { EditErrors } from "../../../language/checks/edit-checker.ts";

/** Waits for the language servers after the edits of a step, and reports the new errors with the calls that caused them. */
export async function readDiagnostics(
  { key, step }: SessionEffectOf<"readDiagnostics">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const { languages, report } = session.services;
  const { found, late } = await languages.check(session.id, session.state.workspace, signal);
  const { aborted: isInterrupted } = signal; // the report itself ends the effect, which aborts its signal
  await session.report(key, [{ type: "diagnostics.reported", step, calls: found.map(toCallDiagnostics) }]);
  if (late && !isInterrupted)
    runInBackground(
      late.then((errors) => reportLate(errors, step, session)),
      report,
    );
}

/** Errors that came too late for their call are a message for the next step. After the end of the turn nobody waits for them. */
async function reportLate(found: readonly EditErrors[], step: number, session: EffectContext): Promise<void> {
  const { turn, mode } = session.state;
  if (found.length === 0 || !turn) return;
  const text = found.map((errors) => errorsText(errors, "Your earlier edit")).join("\n\n");
  const promptId = `diagnostics-${step}` as PromptId;
  const by = { daemon: true } as const;
  await session.note([{ type: "prompt.received", promptId, text, delivery: "steer", mode, synthetic: "diagnostics", by }]);
}

const toCallDiagnostics = (found: EditErrors): CallDiagnostics => ({
  callId: found.callId,
  text: errorsText(found, "This edit"),
  view: {
    type: "files",
    files: found.errors.map(({ file, line, message }) => ({ path: file, line, note: shortened(message) })),
  },
});

function errorsText({ errors, more }: EditErrors, subject: string): string {
  const lines = errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${shortened(message)}`);
  const count = formatCount(errors.length + more, "new error");
  return [`${subject} caused ${count}:`, ...lines, ...(more > 0 ? [`… and ${more} more`] : []), "Fix them before you finish."].join("\n");
}

const MAX_MESSAGE = 300;

function shortened(message: string): string {
  const line = oneLine(message);
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE)}…`;
}
