import { omitUndefined } from "@baton/core/text/omit-undefined";
import { formatCount } from "@baton/core/text/format";
import type { PromptEntry } from "@baton/core/session/transcript/entry";
import { changeLines } from "../../render/changed-files.ts";
import type { TerminalClient } from "../terminal-client.ts";
import { showInPager } from "./external-programs.ts";

/** Rows around printed changes: empty lines, the status line and the prompt. */
const AROUND_CHANGES = 6;

/** `/diff`: shows every file that the session changed, or with `turn` those of the last turn. Long changes open in the pager. */
export async function showChanges(client: TerminalClient, what: string): Promise<void> {
  const view = client.view();
  if (!view) return client.notify("There is no session yet.");
  if (what !== "" && what !== "turn") return client.notify("/diff shows all changes of the session, /diff turn those of the last turn.");
  const prompts = view.transcript.entries.filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined);
  const promptId = what === "turn" ? prompts.at(-1)?.id : undefined;
  const changes = await client.link.api.session.changes.query({ sessionId: view.id, ...omitUndefined({ promptId }) });
  if (changes.length === 0) return client.notify(what === "turn" ? "The last turn changed no file." : "This session has changed no file.");
  const lines = changeLines(changes, client.style());
  const all = [client.style().ansi.bold(`${formatCount(changes.length, "file")} changed`), "", ...lines];
  if (all.length <= client.rows() - AROUND_CHANGES) client.print(all);
  else showInPager(client, all);
}
