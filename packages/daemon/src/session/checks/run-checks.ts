import type { SessionEvent } from "@baton/core/protocol/event";
import type { PromptId } from "@baton/core/protocol/ids";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { CHECK_ORIGIN } from "@baton/core/session/reduce/check";
import type { CheckRun, SessionState, Turn } from "@baton/core/session/state";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import type { EffectContext } from "../effects/effect-context.ts";
import { dueChecks, startChecks } from "./due-checks.ts";

/**
 * The events of the checks after the edits of a step: their calls, then a prompt with the output of those that failed. Undefined if nothing
 * is left to do.
 */
export function checksAfterEdits(state: SessionState, session: EffectContext): SessionEvent[] | undefined {
  const { turn } = state;
  if (!turn) return undefined;
  const due = dueChecks(turn, state, session, "edit");
  if (due.length > 0) return startChecks(due, turn, state, session);
  const failed = turn.checks.filter(isNews);
  return failed.length > 0 ? [promptAbout(failed, turn, state)] : undefined;
}

/** The same before a turn is completed. Checks that fail continue the turn, as often as the settings allow. */
export function checksBeforeEnd(
  { reason }: SessionEffectOf<"endTurn">,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] | undefined {
  const { turn } = state;
  if (reason !== "completed" || !turn) return undefined;
  const due = dueChecks(turn, state, session, "turn");
  if (due.length > 0) return startChecks(due, turn, state, session);
  const failed = turn.checks.filter(isNews);
  if (failed.length === 0 || turn.continued >= session.services.settings.checks(state.workspace).continuations) return undefined;
  return [promptAbout(failed, turn, state)];
}

const isNews = ({ outcome, told }: CheckRun): boolean => outcome === "failed" && !told;

/** Why the checks of a completed turn are not all fine. Undefined if they are. */
export function failedChecks({ turn }: SessionState): string | undefined {
  const sentences = (turn?.checks ?? []).flatMap((run) => sentenceAbout(run) ?? []);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

const MAX_COMMAND = 200;

function sentenceAbout({ command, outcome, end }: CheckRun): string | undefined {
  const line = oneLine(command);
  const name = `The check \`${line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND).toWellFormed()}…` : line}\``;
  if (outcome === undefined || outcome === "ok") return undefined;
  switch (outcome) {
    case "failed":
      return `${name} still fails${end === undefined ? "" : ` (${end})`}.`;
    case "denied":
      return `${name} was skipped, because it was not allowed.`;
    case "unknown":
      return `${name} was interrupted when the daemon stopped. Its result is unknown, and Baton did not repeat it.`;
    case "interrupted":
      return `${name} was interrupted.`;
  }
}

/** The output of a check as the model reads it is limited, in characters. The end of an output says most. */
const MAX_OUTPUT = 8_000;

function promptAbout(failed: readonly CheckRun[], turn: Turn, state: SessionState): SessionEvent {
  const texts = failed.map(({ command, callId }) => {
    const output = state.calls.find(({ id }) => id === callId)?.result?.text ?? "";
    const start = output.length - MAX_OUTPUT;
    const shown = start <= 0 ? output : `[${formatCount(start, "character")} omitted]\n${output.slice(start).toWellFormed()}`;
    return `The check \`${command}\` failed after your edits: ${shown}`;
  });
  return {
    type: "prompt.received",
    promptId: `check-${turn.n}-${turn.checked}` as PromptId,
    text: [...texts, "Fix this before you finish. If you cannot fix it, say why."].join("\n\n"),
    delivery: "steer",
    mode: state.mode,
    synthetic: CHECK_ORIGIN,
    by: { daemon: true },
  };
}
