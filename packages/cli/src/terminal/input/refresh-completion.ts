import type { TerminalClient } from "../terminal-client.ts";
import { availableSlashCommands } from "../commands/slash-commands.ts";
import { mentionedFile, suggest } from "./completion.ts";

/** Finds suggestions for the typed text. The suggestion with the text `keep` stays chosen. */
export function refreshCompletion(client: TerminalClient, keep?: string): void {
  const { line, here, commandQueue } = client;
  if (!here.resources && /^\/|(?:^|\s)@/.test(line.text)) {
    here.learnOfServers().then(
      () => updateCompletion(client),
      () => undefined, // files and commands can still be completed
    );
  }
  const typed = mentionedFile(line.input) ?? "";
  const folders = commandQueue.folders();
  const roots = folders.slice(1);
  const files = here.foundFiles(typed, roots);
  line.offer(suggest(line.input, folders, availableSlashCommands(client), { resources: here.resources, files }), keep);
  client.draw();
  if (!files) findAnywhere(client, typed, roots);
}

/** Asks the daemon for files of that name, and offers them if the user has not typed on. */
function findAnywhere(client: TerminalClient, typed: string, roots: readonly string[]): void {
  client.here.findFiles(typed, roots).then(
    () => mentionedFile(client.line.input) === typed && updateCompletion(client),
    () => undefined, // the files of the folder can still be completed
  );
}

/** Finds suggestions again after the client has learned of more. The chosen suggestion stays chosen. */
export const updateCompletion = (client: TerminalClient): void =>
  refreshCompletion(client, client.line.suggestions?.items[client.line.suggestions.chosen]?.text);
