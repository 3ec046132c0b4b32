import type { HookEvent, HookOutcome } from "@baton/core/protocol/hook";
import * as z from "zod";
import type { ProgramExit } from "../system/commands/run-with-input.ts";
import type { HookDialect } from "./hook-definition.ts";

/** The event, the format, and whether its file says what a failure means. */
type HookContract = { event: HookEvent; dialect: HookDialect; failsBy: boolean };

type Outcome = Omit<HookOutcome, "tookMs">;

const BLOCKS = 2;
const MAX_TEXT = 20_000;

const Behavior = z.looseObject({
  behavior: z.enum(["allow", "deny"]),
  message: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  interrupt: z.boolean().optional(),
});
const Specific = z.looseObject({
  permissionDecision: z.enum(["allow", "deny", "ask", "defer"]).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  additionalContext: z.string().optional(),
  decision: Behavior.optional(),
});
/** The JSON that a hook may print. Unknown keys have no effect. */
const Output = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(["block", "deny", "approve", "allow"]).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: Specific.optional(),
});

/** Events whose plain output is added to the conversation. */
const ADDS_OUTPUT: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "SessionStart"]);

/**
 * The decision of a hook, in the contract of Claude Code: exit code 2 blocks with the error output as its reason, 0 may print JSON, and any
 * other code has no effect. A hook that breaks the contract has failed, and `onFailure` applies.
 */
export function parseHookOutput(exit: ProgramExit, contract: HookContract): Outcome {
  if ("problem" in exit) return { status: "failed", problem: exit.problem };
  const { code, stdout, stderr } = exit;
  if (code === BLOCKS) return { status: "passed", decision: "deny", ...text("reason", stderr.trim() || stdout.trim()) };
  if (code !== 0) {
    const problem = `exit code ${code}${stderr.trim() === "" ? "" : `, ${lastLine(stderr)}`}`;
    return { status: contract.failsBy ? "failed" : "error", problem };
  }
  const printed = stdout.trim();
  if (!printed.startsWith("{"))
    return ADDS_OUTPUT.has(contract.event) ? { status: "passed", ...text("context", printed) } : { status: "passed" };
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    return { status: "failed", problem: `it printed something that begins like JSON but is not: ${printed.slice(0, 80).toWellFormed()}` };
  }
  const parsed = Output.safeParse(value);
  if (parsed.success) return toOutcome(parsed.data, contract);
  const [issue] = parsed.error.issues;
  return { status: "failed", problem: `its JSON is invalid at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "no reason"}` };
}

function toOutcome(output: z.infer<typeof Output>, { event, dialect }: HookContract): Outcome {
  const { hookSpecificOutput: specific = {}, systemMessage } = output;
  const { behavior, message: behaviorMessage, updatedInput: behaviorInput, interrupt } = specific.decision ?? {};
  if (dialect === "codex" && event === "PermissionRequest" && behaviorInput !== undefined)
    return { status: "failed", problem: "Codex does not let a hook of PermissionRequest change the input" };
  const isStop = output.continue === false || interrupt === true;
  const decision = isStop && event === "PreToolUse" ? "deny" : decisionOf(output, behavior);
  const reason =
    specific.permissionDecisionReason ?? behaviorMessage ?? (output.continue === false ? output.stopReason : undefined) ?? output.reason;
  const input = event === "PreToolUse" || event === "PermissionRequest" ? (specific.updatedInput ?? behaviorInput) : undefined;
  return {
    status: "passed",
    ...(decision ? { decision } : {}),
    ...text("reason", reason),
    ...(input && decision !== "deny" ? { input } : {}),
    ...text("context", specific.additionalContext),
    ...text("message", systemMessage),
    ...(isStop ? { stop: true as const } : {}),
  };
}

function decisionOf({ decision, hookSpecificOutput }: z.infer<typeof Output>, behavior: "allow" | "deny" | undefined): Outcome["decision"] {
  const permission = hookSpecificOutput?.permissionDecision;
  if (permission) return permission === "defer" ? "ask" : permission;
  if (behavior) return behavior;
  if (decision === undefined) return undefined;
  return decision === "block" || decision === "deny" ? "deny" : "allow";
}

const text = <K extends "reason" | "context" | "message">(key: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined || value === "" ? {} : ({ [key]: value.slice(0, MAX_TEXT).toWellFormed() } as { [P in K]?: string });

const lastLine = (output: string): string => output.trim().split("\n").at(-1)?.slice(0, 300).toWellFormed() ?? "";
