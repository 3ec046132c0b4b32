import { sanitize } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";
import { runProgram } from "./user-shell.ts";

/** The current session, if there is one, and its mode. */
type Now = { id?: string | undefined; mode: string };

/** A subcommand of `baton` that works as a slash command. `args` adds default arguments. */
type Subcommand = { name: string; about: string; args?: (typed: readonly string[], now: Now) => readonly string[] };

/** Uses default arguments if none were typed. */
const usually =
  (usual: (now: Now) => string[]): NonNullable<Subcommand["args"]> =>
  (typed, now) =>
    typed.length > 0 ? typed : usual(now);

/** A command of the user with the same name takes precedence. */
export const cliSlashCommands: readonly Subcommand[] = [
  {
    name: "usage",
    about: "show usage of this session by turn: /usage --by day",
    args: usually(({ id }) => (id === undefined ? [] : ["--session", id])),
  },
  {
    name: "context",
    about: "show what fills the context of this session",
    args: usually(({ id }) => (id === undefined ? [] : [id])),
  },
  { name: "fork", about: "fork this session", args: usually(({ id }) => (id === undefined ? [] : [id])) },
  { name: "permissions", about: "list the rules of this mode: /permissions grants", args: usually(({ mode }) => ["list", "--mode", mode]) },
  { name: "tools", about: "list the tools of this mode", args: usually(({ mode }) => ["--mode", mode]) },
  { name: "modes", about: "list the modes: /modes show NAME" },
  { name: "models", about: "list the models" },
  { name: "mcp", about: "list the MCP servers: /mcp test NAME" },
  {
    name: "toolsets",
    about: "list the toolsets: /toolsets equip NAME equips this session",
    args: (typed, { id }) =>
      /^(un)?equip$/.test(typed[0] ?? "") && id !== undefined && !typed.some((word) => /^--(session|mode|profile)\b/.test(word))
        ? [...typed, "--session", id]
        : typed,
  },
  { name: "doctor", about: "check this installation" },
  { name: "web", about: "open the page in the browser" },
];

/**
 * Runs the subcommand and prints its output. It has no input, so a command that would ask prints how to run it without
 * asking.
 */
export async function runCliSlashCommand(client: TerminalClient, { name, args }: Subcommand, rest: string): Promise<void> {
  const style = client.style();
  const now = { id: client.view()?.id, mode: client.commandQueue.mode() };
  const typed = rest.split(/\s+/).filter((word) => word !== "");
  const words = args?.(typed, now) ?? typed;
  const env = { ...process.env, COLUMNS: String(contentWidth(style)) };
  const { output } = await runProgram(client, process.execPath, [process.argv[1] ?? "", name, ...words], env);
  const lines = sanitize(output).trimEnd().split("\n");
  client.print([style.ansi.bold(`/${name} ${rest}`.trim()), ...lines.flatMap((line) => hangingIndent(line, "  ", contentWidth(style)))]);
}
