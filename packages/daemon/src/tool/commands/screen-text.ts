import type { ScreenOutput } from "../../system/commands/background-commands.ts";
import { ok, type ToolExecutionResult } from "../tool-types.ts";
import { commandStatus } from "./background-command-text.ts";
import { hostsText } from "./hosts-text.ts";
import { refusedText } from "./sandbox-refusals.ts";
import { withLine } from "./truncate-output.ts";

/** A screen on which nothing changes for so long is shown: the program probably waits for input. */
export const QUIET_MS = 500;

/** The result of a look at the terminal of a command in the folder `cwd`. */
export function screenOutcome(id: string, seen: ScreenOutput, cwd: string): ToolExecutionResult {
  const { screen, typedByUser, end } = seen;
  const { columns, rows, text, above, omitted, cursor, fullScreen } = screen;
  const status = commandStatus(end);
  const notes = [
    ...(typedByUser ? ["The user has typed into this terminal since you last looked."] : []),
    ...(omitted > 0 ? [`${omitted} or more earlier lines are left out.`] : []),
  ];
  const shown = [above, text].filter((part) => part !== "").join("\n");
  const place = end
    ? ""
    : `\n(${columns} × ${rows}${fullScreen ? ", full screen" : ""}, cursor at row ${cursor.row}, column ${cursor.column})`;
  const whole = [`${status}, terminal ${id}`, ...notes.map((note) => `(${note})`), shown === "" ? "(the screen is empty)" : shown].join(
    "\n",
  );
  const hosts = hostsText(seen.network);
  const view = withLine({ type: "terminal", head: shown, tail: "", omittedLines: omitted, exitCode: end?.exitCode ?? null }, hosts);
  return ok(whole + place + hosts + refusedText(shown, seen, cwd), { view, end: end ? status : `terminal ${id}` });
}
