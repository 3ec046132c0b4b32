import type { Gated } from "@baton/core/permission/judge";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Access, PlacedRule, Verdict } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import { field } from "../../tool/tool-types.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { isContained, SANDBOX_RULE } from "./judge-sandbox.ts";

/** The action of typing into a command that runs. Its resource is the command. */
export const INPUT = "input";

type NamedTerminal = { command: string; reach?: string | undefined };

/** The command into which a call types. Undefined if the session does not know it. */
export function terminalOf(
  input: unknown,
  { processes = [] }: Partial<Pick<SessionState, "processes">>,
  { terminals }: Pick<SessionDependencies, "terminals">,
  session: SessionId | undefined,
): NamedTerminal | undefined {
  const id = field(input, "id");
  const running = session && terminals.running(session, id);
  return running ?? processes.find(({ processId }) => processId === id);
}

/** The verdict about a command if it started now, or the result that says why it could not. */
type StartCheck = { verdict: Verdict } | { result: unknown };

/**
 * Limits the input for a command by the verdict about its start. A mode or a rule that does not let the agent start the command now does not
 * let it type into it. Input needs no approval if the command could start without one because of the sandbox, and runs in it with the same
 * reach. `reach`: the present one.
 */
export function limitInput(
  access: Gated,
  terminal: NamedTerminal | undefined,
  judgeStart: (command: string) => StartCheck,
  reach: string,
): Gated {
  if (!terminal) return access;
  const start = judgeStart(terminal.command);
  if (!("verdict" in start)) return { ...access, floor: denied(access, "a command that may not start now") };
  const { verdict } = start;
  if (verdict.effect === "deny")
    return { ...access, floor: denied(access, verdict.rule ? `${verdict.rule.source}, which denies the command` : verdict.why) };
  const isInside = isContained(verdict) && terminal.reach === reach;
  return isInside ? { ...access, given: { ...SANDBOX_RULE, resource: access.resource } } : access;
}

const denied = ({ resource }: Access, source: string): PlacedRule => ({ action: INPUT, resource, effect: "deny", layer: "gate", source });
