import type { Command } from "commander";
import type { UndoOptions } from "../commands/session/undo.ts";
import { parsePositiveInteger } from "./parse-positive-integer.ts";

/** Sessions: list, look, name, copy, undo, remove. */
export function sessionCommands(baton: Command): void {
  listCommands(baton);
  copyCommands(baton);
  undoCommand(baton);
}

function listCommands(baton: Command): void {
  baton
    .command("sessions")
    .description("list sessions")
    .option("--here", "of this folder only")
    .option("--archived", "archived ones")
    .option("--json")
    .action(async (options: { here?: boolean; archived?: boolean; json?: boolean }) =>
      (await import("../commands/session/sessions.ts")).sessions(options),
    );
  baton
    .command("show <session>")
    .description("print a session")
    .option("--json")
    .action(async (session: string, options: { json?: boolean }) => (await import("../commands/session/show.ts")).show(session, options));
  baton
    .command("rename <session> <title>")
    .description("give a session another title")
    .option("--json")
    .action(async (session: string, title: string, options: { json?: boolean }) =>
      (await import("../commands/session/update-session.ts")).rename(session, title, options),
    );
  baton
    .command("coordinate <session> [reason]")
    .description("let the coordinator weigh another mode for a session")
    .option("--json")
    .action(async (session: string, reason: string | undefined, options: { json?: boolean }) =>
      (await import("../commands/session/update-session.ts")).coordinate(session, reason, options),
    );
  baton
    .command("archive <session>")
    .description("take a session out of the list")
    .option("--undo", "back into the list")
    .option("--json")
    .action(async (session: string, options: { undo?: boolean; json?: boolean }) =>
      (await import("../commands/session/update-session.ts")).archive(session, options),
    );
}

function copyCommands(baton: Command): void {
  const code = () => import("../commands/session/session-transfer.ts");
  baton
    .command("fork <session>")
    .description("begin a session that repeats another one")
    .option("--at <seq>", "only up to this event", parsePositiveInteger)
    .option("--json")
    .action(async (session: string, options: { at?: number; json?: boolean }) => (await code()).fork(session, options));
  baton
    .command("export <session>")
    .description("print a session: its events as JSON lines")
    .option("--markdown", "as a text for people")
    .action(async (session: string, options: { markdown?: boolean }) => (await code()).exportSession(session, options));
  baton
    .command("import <file>")
    .description("begin a session from an export; - reads standard input")
    .option("--cwd <folder>", "folder it works in")
    .option("--json")
    .action(async (file: string, options: { cwd?: string; json?: boolean }) => (await code()).importSession(file, options));
  baton
    .command("delete <session>")
    .description("remove a session and its subtasks for good")
    .option("--yes", "without asking")
    .option("--json")
    .action(async (session: string, options: { yes?: boolean; json?: boolean }) => (await code()).deleteSession(session, options));
}

function undoCommand(baton: Command): void {
  baton
    .command("undo <session>")
    .description("take back what the newest turn that changed files did to them")
    .option("--to <prompt>", "back to before this prompt: its number, 1 for the newest, or its id")
    .option("--list", "number the prompts, the newest first")
    .option("--partial", "leave files that were changed since, and take back the others")
    .option("--conversation", "take the conversation back too")
    .option("--preview", "only show what would be done")
    .option("--json")
    .action(async (session: string, options: UndoOptions) => (await import("../commands/session/undo.ts")).undo(session, options));
  baton
    .command("redo <session>")
    .description("bring back what the last undo took from files")
    .option("--partial", "leave files that were changed since, and bring back the others")
    .option("--preview", "only show what would be done")
    .option("--json")
    .action(async (session: string, options: UndoOptions) => (await import("../commands/session/undo.ts")).redo(session, options));
}
