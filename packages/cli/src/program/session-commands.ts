import type { Command } from "commander";
import type { ExportOptions } from "../commands/session/export-import.ts";
import type { UndoOptions } from "../commands/session/undo.ts";
import type { SearchOptions } from "../commands/session/search.ts";
import { parseDate } from "./option/parse-date.ts";
import { parsePositiveInteger } from "./option/parse-positive-integer.ts";

/** The commands for sessions. */
export function sessionCommands(baton: Command): void {
  listCommands(baton);
  searchCommand(baton);
  copyCommands(baton);
  undoCommand(baton);
}

function listCommands(baton: Command): void {
  baton
    .command("sessions")
    .description("list sessions")
    .option("--here", "only sessions of this folder")
    .option("--archived", "list archived sessions")
    .option("--json", "print JSON")
    .action(async (options: { here?: boolean; archived?: boolean; json?: boolean }) =>
      (await import("../commands/session/sessions.ts")).sessions(options),
    );
  baton
    .command("show <session>")
    .description("print a session")
    .option("--json", "print JSON")
    .action(async (session: string, options: { json?: boolean }) => (await import("../commands/session/show.ts")).show(session, options));
  baton
    .command("context [session]")
    .description("show what fills the context of a session; by default of the newest one of this folder")
    .option("--json", "print JSON")
    .action(async (session: string | undefined, options: { json?: boolean }) =>
      (await import("../commands/session/context.ts")).context(session, options),
    );
  baton
    .command("rename <session> <title>")
    .description("rename a session")
    .option("--json", "print JSON")
    .action(async (session: string, title: string, options: { json?: boolean }) =>
      (await import("../commands/session/session-actions.ts")).renameSession(session, title, options),
    );
  baton
    .command("coordinate <session> [reason]")
    .description("ask the coordinator which mode fits a session")
    .option("--json", "print JSON")
    .action(async (session: string, reason: string | undefined, options: { json?: boolean }) =>
      (await import("../commands/session/session-actions.ts")).coordinate(session, reason, options),
    );
  baton
    .command("archive <session>")
    .description("archive a session")
    .option("--undo", "restore it from the archive")
    .option("--json", "print JSON")
    .action(async (session: string, options: { undo?: boolean; json?: boolean }) =>
      (await import("../commands/session/session-actions.ts")).archive(session, options),
    );
}

function searchCommand(baton: Command): void {
  baton
    .command("search <query...>")
    .description("find prompts, answers, commands with their outputs, and files in all sessions")
    .option("--here", "only sessions of this folder")
    .option("--mode <mode>", "only sessions in this mode")
    .option("--since <date>", "only since this date, such as 2026-11-24, or the last days or hours, such as 7d", parseDate)
    .option("--until <date>", "only before this date", parseDate)
    .option("--file <path>", "only sessions that name this file; the end of its path is enough")
    .option("--limit <n>", "show at most this many matches (default: 20, at most 200)", parsePositiveInteger)
    .option("--json", "print JSON")
    .action(async (query: string[], options: SearchOptions) =>
      (await import("../commands/session/search.ts")).search(query.join(" "), options),
    );
}

function copyCommands(baton: Command): void {
  const exportImport = () => import("../commands/session/export-import.ts");
  baton
    .command("fork <session>")
    .description("fork a session: create a copy of it")
    .option("--at <seq>", "only up to this event", parsePositiveInteger)
    .option("--json", "print JSON")
    .action(async (session: string, options: { at?: number; json?: boolean }) =>
      (await import("../commands/session/session-actions.ts")).fork(session, options),
    );
  baton
    .command("export <session>")
    .description("print the events of a session as JSON lines")
    .option("--markdown", "print the transcript as Markdown")
    .option("--html", "print the transcript as one HTML file, with secrets masked")
    .option("--yes", "with --html: do not ask")
    .action(async (session: string, options: ExportOptions) => (await exportImport()).exportSession(session, options));
  baton
    .command("import <file>")
    .description("create a session from an export; - reads standard input")
    .option("--cwd <folder>", "folder of the session")
    .option("--json", "print JSON")
    .action(async (file: string, options: { cwd?: string; json?: boolean }) => (await exportImport()).importSession(file, options));
  baton
    .command("delete <session>")
    .description("delete a session and its subtasks for good")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action(async (session: string, options: { yes?: boolean; json?: boolean }) =>
      (await import("../commands/session/session-actions.ts")).deleteSession(session, options),
    );
}

function undoCommand(baton: Command): void {
  baton
    .command("undo <session>")
    .description("undo the file changes of the newest turn that changed files")
    .option("--to <prompt>", "undo everything since this prompt: its number (1 is the newest) or its id")
    .option("--list", "list the prompts with their numbers, newest first")
    .option("--partial", "skip files that changed since then")
    .option("--conversation", "also rewind the conversation")
    .option("--preview", "only show what would change")
    .option("--json", "print JSON")
    .action(async (session: string, options: UndoOptions) => (await import("../commands/session/undo.ts")).undoInSession(session, options));
  baton
    .command("redo <session>")
    .description("redo the last undo")
    .option("--partial", "skip files that changed since then")
    .option("--preview", "only show what would change")
    .option("--json", "print JSON")
    .action(async (session: string, options: UndoOptions) => (await import("../commands/session/undo.ts")).redoInSession(session, options));
}
