import type { GatedAccess } from "@baton/core/permission/judge";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Access, SourcedRule, Verdict } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import { inputField } from "../../../tool/tool-types.ts";
import type { SessionDependencies } from "../../session-dependencies.ts";
import { isContained, SANDBOX_RULE } from "./judge-sandbox.ts";

/** The action of typing into a command that runs. Its resource is the command. */
export const TERMINAL_INPUT = "input";

/** A command that runs, and the text that a call types into it. */
type NamedTerminal = { command: string; text: string; reach?: string | undefined };

/** The command into which a call types. Undefined if the session does not know it. */
export function terminalOf(
  input: unknown,
  { processes = [] }: Partial<Pick<SessionState, "processes">>,
  { terminals }: Pick<SessionDependencies, "terminals">,
  session: SessionId | undefined,
): NamedTerminal | undefined {
  const id = inputField(input, "id");
  const known = (session && terminals.running(session, id)) ?? processes.find(({ processId }) => processId === id);
  return known && { ...known, text: inputField(input, "text") };
}

/** The verdict about a command if it started now, or the result that says why it could not. */
type StartCheck = { verdict: Verdict } | { result: unknown };

/**
 * Limits the input for a command by the verdict about its start. A mode or a rule that does not let the agent start the command now does not
 * let it type into it. Input needs no approval if the command could start without one because of the sandbox, and runs in it with the same
 * reach. `reach`: the present one. Text for a shell is also judged as a command.
 */
export function judgeTerminalInput(
  access: GatedAccess,
  terminal: NamedTerminal | undefined,
  judgeStart: (command: string) => StartCheck,
  reach: string,
): GatedAccess {
  if (!terminal) return access;
  const start = judgeStart(terminal.command);
  if (!("verdict" in start)) return { ...access, floor: floorFor(access, "deny", "a command that may not start now") };
  const { verdict } = start;
  if (verdict.effect === "deny")
    return { ...access, floor: floorFor(access, "deny", `${verdict.rule?.source ?? verdict.why}, which denies the command`) };
  const isInside = isContained(verdict) && terminal.reach === reach;
  const limited = isInside ? { ...access, gateRule: { ...SANDBOX_RULE, resource: access.resource } } : access;
  const floor =
    SHELL.test(terminal.command) && terminal.text.replace(KEYS, "").trim() !== ""
      ? floorOfText(access, judgeStart(terminal.text.replace(KEYS, "\n")))
      : undefined;
  return floor ? { ...limited, floor } : limited;
}

const SHELL = /(?:^|[\s/;&|('"])(?:ba|z|da|k|fi|a|c|tc)?sh(?=[\s;&|)'"]|$)/;

/** Characters that a shell takes for keys, such as Ctrl+C. */
// oxlint-disable-next-line no-control-regex
const KEYS = /[\x00-\x08\x0b-\x1f\x7f]+/g;

/**
 * The limit for text that a shell gets, if a rule about commands is stricter than the defaults. An agent that types a command in several
 * calls avoids it, so it is no replacement for the approval of input.
 */
function floorOfText(access: Access, typed: StartCheck): SourcedRule | undefined {
  if (!("verdict" in typed)) return undefined;
  const { effect, rule } = typed.verdict;
  if (effect === "allow" || !rule || rule.layer === "defaults") return undefined;
  return floorFor(access, effect, `${rule.source}, about the command that it types`);
}

const floorFor = ({ resource }: Access, effect: "ask" | "deny", source: string): SourcedRule => ({
  action: TERMINAL_INPUT,
  resource,
  effect,
  layer: "gate",
  source,
  ...(effect === "ask" ? { once: true } : {}), // a rule for the command that runs says nothing about this text
});
