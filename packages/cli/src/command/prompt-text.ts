import { text } from "node:stream/consumers";
import { promptOf } from "@baton/core/text/slash";
import { usage } from "./stop.ts";

/** The prompt of the command line: the argument, or standard input for `-` and when something is piped in, which anybody may have written. */
export async function promptText(argument: string | undefined): Promise<{ text: string; piped: boolean }> {
  const piped = argument === "-" || (argument === undefined && !process.stdin.isTTY);
  const said = promptOf(piped ? await text(process.stdin) : (argument ?? ""));
  if (said === "") throw usage('There is no prompt. Give one: baton run "what you want done", or - to read it from standard input.');
  return { text: said, piped };
}
