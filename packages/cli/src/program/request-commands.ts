import type { Command } from "commander";

/** Defines `baton inbox` and `answer`. */
export function requestCommands(baton: Command): void {
  baton
    .command("inbox")
    .description("list open requests of all sessions")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await import("../commands/request/inbox.ts")).inbox(options));
  baton
    .command("answer <request> [choice]")
    .description("answer a request")
    .option("--text <text>", "answer in your own words")
    .option("--fields <json>", "fields of a form")
    .option("--note <note>", "add a note for the agent")
    .option("--rule <json>", "remember this rule instead of the proposed one")
    .option("--hash <hash>", "answer only if the request still has this hash")
    .option("--json", "print JSON")
    .action(async (request: string, choice: string | undefined, options: Record<string, string>) =>
      (await import("../commands/request/answer.ts")).answer(request, choice, options),
    );
}
