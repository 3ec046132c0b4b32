import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { CallId } from "@baton/core/protocol/ids";
import type { SessionEvent } from "@baton/core/protocol/event";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { SessionState, Turn } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import type { CheckCommand } from "../session-dependencies.ts";

/** A check with the command that runs. */
type DueCheck = { check: CheckCommand; command: string };

const RUN_COMMAND = "run_command";

/**
 * The checks whose files have changed since they ran. `turn`: the turn is about to end, so all of them are due. A check that was denied or
 * whose result is unknown does not run again in this turn.
 */
export function dueChecks(
  turn: Turn,
  { workspace }: Pick<SessionState, "workspace">,
  { services }: EffectContext,
  moment: CheckCommand["after"],
): DueCheck[] {
  if (turn.changes === 0) return [];
  const { commands } = services.settings.checks(workspace);
  return commands.flatMap((check) => {
    const last = turn.checks.find(({ command }) => command === check.command);
    const isOver = last && (last.at === turn.changes || last.outcome === "denied" || last.outcome === "unknown");
    if (isOver || (moment === "edit" && check.after !== "edit")) return [];
    const files = Object.keys(turn.changed).filter((file) => isInside(file) && check.files.some((glob) => matchesWildcard(glob, file)));
    if (files.length === 0) return [];
    const command = withFiles(
      check.command,
      files.filter((file) => turn.changed[file]),
      services.tools.quote,
    );
    return command === undefined ? [] : [{ check, command }];
  });
}

const isInside = (file: string): boolean => !file.startsWith("/") && !file.startsWith("..") && !/^[A-Za-z]:/.test(file);

/** Undefined if the command names the changed files and none of them is left, or the shell cannot name them. */
function withFiles(command: string, files: readonly string[], quote: (text: string) => string | undefined): string | undefined {
  if (!command.includes("$FILES")) return command;
  const quoted = files.map((file) => quote(file.startsWith("-") ? `./${file}` : file));
  if (quoted.length === 0 || quoted.includes(undefined)) return undefined;
  return command.replaceAll("$FILES", () => quoted.join(" "));
}

/** Each check is a call of `run_command` that the daemon makes, so it is judged, approved, recorded and stopped like one of the agent. */
export function startChecks(
  due: readonly DueCheck[],
  { n, checked }: Turn,
  state: SessionState,
  { services }: EffectContext,
): SessionEvent[] {
  const tool = services.tools.of(state).get(RUN_COMMAND);
  return due.map(({ check: { command: written, layer, timeoutMs }, command }, i) => {
    const input = { command, ...omitUndefined({ timeout_ms: timeoutMs }) };
    const id = `c${n}.${checked + i + 1}` as CallId;
    const label = { ...(tool?.label(input) ?? { object: command }), verb: "check" };
    return {
      type: "call.received",
      call: { id, tool: RUN_COMMAND, input, providerId: id, label },
      by: { daemon: true },
      check: { command: written, layer },
    };
  });
}
