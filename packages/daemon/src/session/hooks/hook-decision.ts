import type { GatedAccess } from "@baton/core/permission/judge";
import type { CallId } from "@baton/core/protocol/ids";
import type { AccessVerdict, Effect, SourcedRule, Verdict } from "@baton/core/protocol/rule";
import { asSentence } from "@baton/core/text/format";
import { hookTitle } from "@baton/core/session/hook-report";
import type { HookRunState, SessionState } from "@baton/core/session/state";
import type { Hooks } from "../../hook/hooks.ts";
import type { Tool } from "../../tool/tool-types.ts";

/** The decisions of hooks about a call. `limits` make its verdict stricter. `allow`: a hook of the user allows it. */
type HookDecision = { limits: readonly GatedAccess[]; allow: SourcedRule | undefined; reasons: ReadonlyMap<string, string> };

const NONE: HookDecision = { limits: [], allow: undefined, reasons: new Map() };

/** The action of rules that stand for a hook. */
const HOOK = "hook";

/** The decisions of hooks about a call so far. A hook that failed or whose outcome is unknown decides by its `onFailure`. */
export function hookDecision(
  id: CallId | undefined,
  hooks: SessionState["hooks"] | undefined,
  problem: ReturnType<Hooks["problem"]>,
): HookDecision {
  if (problem) return unreadable(problem);
  if (id === undefined || hooks === undefined || hooks.length === 0) return NONE;
  const runs = hooks.filter(
    ({ event, about, async }) => about === id && !async && (event === "PreToolUse" || event === "PermissionRequest"),
  );
  if (runs.length === 0) return NONE;
  const decided = runs.flatMap((run) => {
    const decision = limitOf(run);
    return decision ? [{ run, ...decision }] : [];
  });
  const disagreement = disagreeing(runs);
  const all = disagreement ? [...decided, disagreement] : decided;
  const allowing = runs.find((run) => run.outcome?.decision === "allow" && run.hook.layer === "user" && isStillAllowed(run, runs));
  return {
    limits: all.map(({ run, effect }) => limited(ruleOf(run, effect))),
    allow: allowing && ruleOf(allowing, "allow"),
    reasons: new Map(all.map(({ run, reason }) => [run.hook.source, reason])),
  };
}

/** Whether a call still has the arguments that a hook allowed: no other hook changed them at the same time or later. */
const isStillAllowed = ({ event, outcome }: HookRunState, runs: readonly HookRunState[]): boolean =>
  runs.every(
    (other) =>
      other.outcome?.input === undefined ||
      (event === "PermissionRequest" && other.event === "PreToolUse") ||
      JSON.stringify(other.outcome.input) === JSON.stringify(outcome?.input),
  );

/** An access that only the hook limits. No rule of the user satisfies it, and each call asks again. */
const limited = (rule: SourcedRule): GatedAccess => ({
  action: HOOK,
  resource: String(rule.resource),
  gateRule: { ...rule, effect: "allow" },
  floor: { ...rule, once: true },
});

/** While a file cannot be read, nobody knows which calls its hooks would have refused. */
function unreadable({ file, line, layer, message }: NonNullable<ReturnType<Hooks["problem"]>>): HookDecision {
  const source = `${file}:${line}`;
  const floor: SourcedRule = { action: HOOK, resource: file, effect: "ask", layer, source };
  return {
    limits: [limited(floor)],
    allow: undefined,
    reasons: new Map([[source, `Baton asks about every call until the hooks in ${source} can be read. ${message}`]]),
  };
}

const ruleOf = ({ hook }: HookRunState, effect: Effect): SourcedRule => ({
  action: HOOK,
  resource: hook.name,
  effect,
  layer: hook.layer,
  source: hook.source,
});

/** The limit that a run sets, with the reason for the user and the model. */
function limitOf(run: HookRunState): { effect: "ask" | "deny"; reason: string } | undefined {
  const { outcome, hook } = run;
  if (!outcome) return undefined;
  const { status, decision, reason, problem } = outcome;
  const title = hookTitle(run);
  if (status === "failed" || status === "unknown") {
    if (hook.onFailure === "pass") return undefined;
    const what = status === "unknown" ? "was interrupted, so its decision is unknown" : `failed: ${problem ?? "it gave no reason"}`;
    return { effect: hook.onFailure === "block" ? "deny" : "ask", reason: `${title} ${what}.` };
  }
  if (decision !== "deny" && decision !== "ask") return undefined;
  const words = reason === undefined ? "." : `: ${asSentence(reason)}`;
  return { effect: decision, reason: `${title} ${decision === "deny" ? "refused it" : "wants the user to decide"}${words}` };
}

/** Two hooks that give a call different arguments. Nobody knows which of them counts, so the user decides. */
function disagreeing(runs: readonly HookRunState[]): { run: HookRunState; effect: "ask"; reason: string } | undefined {
  const changing = runs.filter(({ outcome }) => outcome?.input !== undefined);
  const [first] = changing;
  const other = changing.find(({ outcome }) => JSON.stringify(outcome?.input) !== JSON.stringify(first?.outcome?.input));
  if (!first || !other) return undefined;
  return {
    run: other,
    effect: "ask",
    reason: `${hookTitle(first)} and ${hookTitle(other)} change the arguments differently. Those of the second are shown.`,
  };
}

/** Whether a hook decided. */
export const isOfHook = ({ rule }: Verdict): boolean => rule?.action === HOOK;

/** Adds the decision of hooks to a verdict: the words of a limit, and the allow of a hook of the user. */
export function withHookDecision(verdict: Verdict, { limits, allow, reasons }: HookDecision, kind: Tool["kind"]): Verdict {
  if (verdict.rule && isOfHook(verdict)) return { ...verdict, why: reasons.get(verdict.rule.source) ?? verdict.why };
  if (limits.length > 0 || !allow || verdict.effect !== "ask" || kind === "asking") return verdict;
  const accesses = verdict.accesses.map((access) => (isOpen(access) ? { ...access, effect: "allow" as const, rule: allow } : access));
  if (accesses.length === 0 || accesses.some(({ effect }) => effect !== "allow")) return verdict;
  return { ...verdict, effect: "allow", rule: allow, accesses, why: `The hook ${String(allow.resource)} (${allow.source}) allowed it.` };
}

/** Whether only the defaults ask. A hook overrides no rule of the user, no mode, no gate and no guard against loops. */
const isOpen = ({ effect, rule, action }: AccessVerdict): boolean =>
  effect === "ask" && (rule === null || rule.layer === "defaults") && action !== "loop_guard" && action !== "configure";
