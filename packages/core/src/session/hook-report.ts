import { asSentence } from "../text/format.ts";
import { isAfterCall, type HookEvent, type HookOutcome, type HookReport, type HookRun } from "../protocol/hook.ts";

/** A hook that takes longer is named. */
const SLOW_MS = 1_000;

/** `The hook check.sh (config.jsonc:14)` */
export const hookTitle = ({ hook }: Pick<HookRun, "hook">): string => `The hook ${hook.name} (${hook.source})`;

/** The end of a run for the user. Undefined if there is nothing to say. */
export function hookReport(run: Pick<HookRun, "hook" | "event">, outcome: HookOutcome): HookReport | undefined {
  const text = reportText(run, outcome);
  if (text === undefined) return undefined;
  return { name: run.hook.name, source: run.hook.source, isProblem: outcome.status !== "passed", text };
}

function reportText(
  run: Pick<HookRun, "hook" | "event">,
  { status, decision, reason, input, message, problem, tookMs }: HookOutcome,
): string | undefined {
  const title = hookTitle(run);
  const words = reason === undefined ? "." : `: ${asSentence(reason)}`;
  if (status === "unknown") return `${title} was interrupted, so its decision is unknown.`;
  if (status === "failed") return `${title} failed: ${asSentence(problem ?? "it gave no reason")}`;
  if (status === "error") return `${title} ended with an error, which has no effect: ${asSentence(problem ?? "it gave no reason")}`;
  if (decision === "deny") return `${title} ${DENIES[run.event] ?? "refused it"}${words}`;
  if (decision === "ask") return `${title} wants you to decide${words}`;
  if (input !== undefined) return `${title} changed the arguments of the call.`;
  if (decision === "allow") return `${title} allowed it${words}`;
  if (message !== undefined) return `${title} says: ${message}`;
  return tookMs > SLOW_MS ? `${title} took ${(tookMs / 1_000).toFixed(1)} s.` : undefined;
}

/** The meaning of a denial at events that deny nothing. */
const DENIES: Partial<Record<HookEvent, string>> = {
  PostToolUse: "reports",
  PostToolUseFailure: "reports",
  Stop: "continued the turn",
  SubagentStop: "continued the turn",
};

/** The words of a hook for the model. */
export function hookNote({ event }: Pick<HookRun, "event">, { decision, reason, input, context }: HookOutcome): string | undefined {
  const notes = [
    ...(input === undefined
      ? []
      : [`A hook of the user changed the arguments of this call before it ran. They are now: ${JSON.stringify(input)}`]),
    ...(isAfterCall(event) && decision === "deny" && reason !== undefined ? [`A hook of the user reports: ${reason}`] : []),
    ...(context === undefined ? [] : [`A hook of the user adds: ${context}`]),
  ];
  return notes.length === 0 ? undefined : notes.join("\n");
}
