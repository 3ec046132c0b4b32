import { clean } from "@baton/core/text/clean";
import { hang, roomOf } from "../../render/layout.ts";
import type { TerminalClient } from "./client.ts";
import { runProgram } from "./shell.ts";

/** A subcommand of this program that can be typed behind `/`; `usual` is what it is given when nothing follows. */
type Subcommand = { name: string; about: string; usual?: (now: { id?: string | undefined; mode: string }) => string[] };

/** They give way to a command of the person's own that has the same name. */
export const subcommands: readonly Subcommand[] = [
  {
    name: "usage",
    about: "what this session used, by turn; /usage --by day",
    usual: ({ id }) => (id === undefined ? [] : ["--session", id]),
  },
  { name: "fork", about: "another session with all of this one", usual: ({ id }) => (id === undefined ? [] : [id]) },
  { name: "permissions", about: "the rules of this mode; /permissions grants", usual: ({ mode }) => ["list", "--mode", mode] },
  { name: "tools", about: "what the agent has in this mode", usual: ({ mode }) => ["--mode", mode] },
  { name: "modes", about: "the modes here; /modes show NAME" },
  { name: "models", about: "the models that are known" },
  { name: "mcp", about: "MCP servers; /mcp test NAME" },
  { name: "toolsets", about: "selections of their tools; /toolsets equip NAME" },
  { name: "doctor", about: "what Baton finds on this machine" },
  { name: "web", about: "this and every session in a browser tab" },
];

/** Runs one of them and shows what it printed. Nobody can answer it there, so what would ask says how it is done without. */
export async function runSubcommand(client: TerminalClient, { name, usual }: Subcommand, args: string): Promise<void> {
  const look = client.look();
  const now = { id: client.feed()?.id, mode: client.outbox.mode() };
  const words = args === "" ? (usual?.(now) ?? []) : args.split(/\s+/);
  const env = { ...process.env, COLUMNS: String(roomOf(look)) };
  const { output } = await runProgram(client, process.execPath, [process.argv[1] ?? "", name, ...words], env);
  const lines = clean(output).trimEnd().split("\n");
  client.print([look.ink.bold(`/${name} ${args}`.trim()), ...lines.flatMap((line) => hang(line, "  ", roomOf(look)))]);
}
