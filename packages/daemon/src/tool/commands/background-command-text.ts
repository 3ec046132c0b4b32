import type { ProcessOutput } from "../../system/commands/background-commands.ts";
import { failed, ok, type Outcome, type ToolContext } from "../tool-types.ts";
import { newText } from "./terminal-view.ts";

/** What a look at a background command brings. */
export function backgroundOutcome(output: ProcessOutput): Outcome {
  const { end } = output;
  const standing = !end ? "running" : end.reason === "stopped" ? "stopped" : end.exitCode === null ? "ended" : `exit ${end.exitCode}`;
  const text = newText(output);
  const printed = text === "" ? ", nothing new" : `\n${text}`;
  const view = { type: "terminal", head: text, tail: "", omittedLines: 0, exitCode: end?.exitCode ?? null } as const;
  return ok(`${standing}${printed}`, { view, end: standing });
}

/** Says which there are instead. */
export function unknownCommandOutcome(id: string, ports: ToolContext["ports"], sessionId: string): Outcome {
  const known = ports.shell
    .list(sessionId)
    .map((each) => `${each.id} (${each.command.slice(0, 60)}, ${each.running ? "running" : "ended"})`);
  const others = known.length > 0 ? `It has: ${known.join("; ")}.` : "It has none; start one with run_command and background.";
  return failed(`This session has no background command ${id.slice(0, 60)}. ${others}`);
}
