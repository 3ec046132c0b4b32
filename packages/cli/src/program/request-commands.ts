import type { Command } from "commander";

/** What waits for a person, and its answers. */
export function requestCommands(baton: Command): void {
  baton
    .command("inbox")
    .description("list what waits for you, in all sessions")
    .option("--json")
    .action(async (options: { json?: boolean }) => (await import("../commands/request/inbox.ts")).inbox(options));
  baton
    .command("answer <request> [choice]")
    .description("answer a request")
    .option("--text <text>", "answer in your own words")
    .option("--fields <json>", "fields of a form")
    .option("--note <note>", "a note for the agent")
    .option("--rule <json>", "the rule to remember instead of the proposed one")
    .option("--hash <hash>", "answer only if this is still what is asked")
    .option("--json")
    .action(async (request: string, choice: string | undefined, options: Record<string, string>) =>
      (await import("../commands/request/answer.ts")).answer(request, choice, options),
    );
}
