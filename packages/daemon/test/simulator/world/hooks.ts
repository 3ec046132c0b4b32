import type { HookEvent, HookOutcome, HookRef } from "@baton/core/protocol/hook";
import type { KnownHook } from "../../../src/hook/hook-definition.ts";
import type { Hooks } from "../../../src/hook/hooks.ts";
import type { Run } from "../run.ts";

/** The events that have a hook. */
const HOOKED: readonly HookEvent[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "RequestOpened"];

/** One hook for some events of every third run, with random decisions. */
export function simHooks(run: Run): Hooks {
  const { draws, scheduler } = run;
  const exists = draws.happens(333);
  return {
    find: (_, event) => ({ approved: exists && HOOKED.includes(event) ? [hookOf(event)] : [], questions: [] }),
    problem: () => undefined,
    list: () => ({ hooks: [], problems: [] }),
    run: (_, { id, event }, __, signal) => scheduler.step(`hook ${id}`, () => drawOutcome(event, run), { signal }),
    isOpen: () => false,
    settle: async () => undefined,
  };
}

function hookOf(event: HookEvent): KnownHook {
  const ref: HookRef = { name: "check", source: "config.jsonc:1", layer: "user", hash: event, onFailure: "ask" };
  const file = { path: "config.jsonc", label: "config.jsonc", layer: "user", dialect: "claude" } as const;
  const launch = { type: "command", command: "check" } as const;
  const definition = { event, matcher: undefined, condition: undefined, launch, timeoutMs: 1_000, async: false, once: false } as const;
  return { definition: { ...definition, onFailure: "ask", failsBy: false, file, line: 1 }, ref, status: "approved" };
}

function drawOutcome(event: HookEvent, { draws, calm }: Run): HookOutcome {
  if (calm) return { status: "passed", tookMs: 1 };
  const kind = draws.weighted({ pass: 70, deny: 6, ask: 6, allow: 6, fail: 6, context: 6 });
  switch (kind) {
    case "pass":
      return { status: "passed", tookMs: 1 };
    case "fail":
      return { status: "failed", problem: "it broke", tookMs: 1 };
    case "context":
      return { status: "passed", context: `a note of ${event}`, tookMs: 1 };
    case "deny":
    case "ask":
    case "allow":
      return { status: "passed", decision: kind, reason: "drawn", tookMs: 1 };
  }
}
