import type { ProcessOutput } from "../../system/commands/background-commands.ts";
import { failed, ok, type ToolExecutionResult, type ToolContext } from "../tool-types.ts";
import { hostsText } from "./hosts-text.ts";
import { refusedText } from "./sandbox-refusals.ts";
import { unreadText, withLine } from "./truncate-output.ts";

/** The result of a poll of a background command in the folder `cwd`. */
export function backgroundOutcome(output: ProcessOutput, cwd: string): ToolExecutionResult {
  const { end } = output;
  const status = commandStatus(end);
  const text = unreadText(output);
  const printed = text === "" ? ", nothing new" : `\n${text}`;
  const hosts = hostsText(output.network);
  const view = withLine({ type: "terminal", head: text, tail: "", omittedLines: 0, exitCode: end?.exitCode ?? null }, hosts);
  return ok(`${status}${printed}${hosts}${refusedText(text, output, cwd)}`, { view, end: status });
}

export function commandStatus(end: ProcessOutput["end"]): string {
  if (!end) return "running";
  if (end.reason === "stopped") return end.byUser ? "stopped by the user" : "stopped";
  return end.exitCode === null ? "ended" : `exit ${end.exitCode}`;
}

const NONE =
  "It has none. If one ran before the daemon restarted, its outcome is unknown; check before you start it again. Start one with run_command and background.";

/** The result for an unknown id. It lists the session's background commands. */
export function unknownCommandOutcome(id: string, ports: ToolContext["ports"], sessionId: string): ToolExecutionResult {
  const known = ports.shell
    .list(sessionId)
    .map((each) => `${each.id} (${each.command.slice(0, 60)}, ${each.running ? "running" : "ended"})`);
  const others = known.length > 0 ? `Its commands are: ${known.join("; ")}.` : NONE;
  return failed(`This session has no background command ${id.slice(0, 60)}. ${others}`);
}
