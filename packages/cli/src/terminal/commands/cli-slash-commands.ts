import { sanitize } from "@baton/core/text/sanitize";
import { hang, contentWidth } from "../../render/layout.ts";
import type { TerminalClient } from "../client.ts";
import { runProgram } from "./user-shell.ts";

/** The session on the screen, where there is one, and its mode. */
type Now = { id?: string | undefined; mode: string };

/** A subcommand of this program that can be typed behind `/`; `args` is what it is given for the words that follow. */
type Subcommand = { name: string; about: string; args?: (typed: readonly string[], now: Now) => readonly string[] };

/** What is given where nothing was typed. */
const usually =
  (usual: (now: Now) => string[]): NonNullable<Subcommand["args"]> =>
  (typed, now) =>
    typed.length > 0 ? typed : usual(now);

/** They give way to a command of the person's own that has the same name. */
export const cliSlashCommands: readonly Subcommand[] = [
  {
    name: "usage",
    about: "what this session used, by turn; /usage --by day",
    args: usually(({ id }) => (id === undefined ? [] : ["--session", id])),
  },
  { name: "fork", about: "another session with all of this one", args: usually(({ id }) => (id === undefined ? [] : [id])) },
  { name: "permissions", about: "the rules of this mode; /permissions grants", args: usually(({ mode }) => ["list", "--mode", mode]) },
  { name: "tools", about: "what the agent has in this mode", args: usually(({ mode }) => ["--mode", mode]) },
  { name: "modes", about: "the modes here; /modes show NAME" },
  { name: "models", about: "the models that are known" },
  { name: "mcp", about: "MCP servers; /mcp test NAME" },
  {
    name: "toolsets",
    about: "selections of their tools; /toolsets equip NAME gives it to this session",
    args: (typed, { id }) =>
      /^(un)?equip$/.test(typed[0] ?? "") && id !== undefined && !typed.some((word) => /^--(session|mode|profile)\b/.test(word))
        ? [...typed, "--session", id]
        : typed,
  },
  { name: "doctor", about: "what Baton finds on this machine" },
  { name: "web", about: "this and every session in a browser tab" },
];

/** Runs one of them and shows what it printed. Nobody can answer it there, so what would ask says how it is done without. */
export async function runCliSlashCommand(client: TerminalClient, { name, args }: Subcommand, rest: string): Promise<void> {
  const look = client.look();
  const now = { id: client.view()?.id, mode: client.outbox.mode() };
  const typed = rest.split(/\s+/).filter((word) => word !== "");
  const words = args?.(typed, now) ?? typed;
  const env = { ...process.env, COLUMNS: String(contentWidth(look)) };
  const { output } = await runProgram(client, process.execPath, [process.argv[1] ?? "", name, ...words], env);
  const lines = sanitize(output).trimEnd().split("\n");
  client.print([look.ink.bold(`/${name} ${rest}`.trim()), ...lines.flatMap((line) => hang(line, "  ", contentWidth(look)))]);
}
