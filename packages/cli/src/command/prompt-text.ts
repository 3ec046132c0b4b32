import { text } from "node:stream/consumers";
import { usage } from "./stop.ts";

/** The prompt of the command line: the argument, or standard input for `-` and when something is piped in. */
export async function promptText(argument: string | undefined): Promise<string> {
  const piped = argument === "-" || (argument === undefined && !process.stdin.isTTY);
  const said = (piped ? await text(process.stdin) : (argument ?? "")).trim();
  if (said === "") throw usage('There is no prompt. Give one: baton run "what you want done", or - to read it from standard input.');
  return said;
}
