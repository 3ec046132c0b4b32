import type { Verdict } from "../protocol/rule.ts";

/** The program of a command with its first argument, such as `npm run` or `sh ./build.sh`. */
export const commandPrefix = (command: string): string => command.split(/\s+/, 2).join(" ");

/** The programs of the commands that a verdict is about. */
export const commandPrefixes = (verdict: Verdict | undefined): string[] =>
  (verdict?.accesses ?? []).flatMap(({ action, resource }) => (action === "command" ? [commandPrefix(resource)] : []));
