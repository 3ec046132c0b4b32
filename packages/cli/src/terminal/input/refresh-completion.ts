import type { TerminalClient } from "../client.ts";
import { availableSlashCommands } from "../commands/slash-commands.ts";
import { suggest } from "./completion.ts";

/** Finds suggestions for the typed text. The suggestion with the text `keep` stays chosen. */
export function refreshCompletion(client: TerminalClient, keep?: string): void {
  const { line, workspace, here } = client;
  if (!here.resources && /^\/|(?:^|\s)@/.test(line.text)) {
    here.learnOfServers().then(
      () => updateCompletion(client),
      () => undefined, // files and commands can still be completed
    );
  }
  line.offer(suggest(line.input, workspace, availableSlashCommands(client), here.resources), keep);
  client.draw();
}

/** Finds suggestions again after the client has learned of more. The chosen suggestion stays chosen. */
export const updateCompletion = (client: TerminalClient): void =>
  refreshCompletion(client, client.line.suggestions?.items[client.line.suggestions.chosen]?.text);
