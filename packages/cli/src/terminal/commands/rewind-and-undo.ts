import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Entry, PromptEntry } from "@baton/core/session/transcript/entry";
import { oneLine } from "@baton/core/text/sanitize";
import { refusalOf, errorMessage } from "@baton/core/client/rpc-errors";
import { truncate, contentWidth } from "../../render/layout.ts";
import { runDetached } from "@baton/core/client/run-detached";
import type { TerminalClient } from "../terminal-client.ts";

const MAX_CHOICES = 9;

/** Esc Esc: offers the newest prompts of the user as targets of a rewind. */
export function offerRewind(client: TerminalClient): void {
  const view = client.view();
  const entries = view?.transcript.entries ?? [];
  const prompts = entries
    .filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined)
    .slice(-MAX_CHOICES);
  if (!view || prompts.length === 0) return client.showHint("there is nothing to go back to");
  const newest = prompts.toReversed();
  const style = client.style();
  const lines = newest.map(({ text, slash }, i) =>
    truncate(`  ${style.ansi.bold(String(i + 1))} ${oneLine(slash ?? text)}`, contentWidth(style)),
  );
  client.offer([style.ansi.bold("Rewind to before which prompt?"), ...lines], newest.length, (i) => {
    const prompt = newest[i];
    if (prompt) runDetached(offerFiles(client, view.id, prompt), (error) => client.notify(errorMessage(error)));
  });
}

/** `/undo`: offers to undo the file changes of the newest turn, and to rewind the conversation. */
export async function offerUndo(client: TerminalClient): Promise<void> {
  const view = client.view();
  if (!view) return client.notify("There is no session yet.");
  const { promptId, files } = await client.link.api.session.undoPlan.query({ sessionId: view.id });
  const prompt = view.transcript.entries.find((entry) => entry.kind === "prompt" && entry.id === promptId);
  offerActions(client, "Undo the file changes of the newest turn?", files, [
    { name: "the files", ofFiles: true, run: (partial) => undo(client, promptId, false, partial) },
    {
      name: "the files, and rewind the conversation",
      ofFiles: true,
      run: (partial) => undo(client, promptId, true, partial).then(restorePrompt(client, prompt)),
    },
  ]);
}

/** `/redo`: offers to redo the last undo. */
export async function offerRedo(client: TerminalClient): Promise<void> {
  const view = client.view();
  if (!view) return client.notify("There is no session yet.");
  const { files } = await client.link.api.session.undoPlan.query({ sessionId: view.id, redo: true });
  offerActions(client, "Redo the last undo?", files, [
    { name: "the files", ofFiles: true, run: (partial) => client.commandQueue.run({ type: "redo", ...partial }) },
  ]);
}

/** Asks whether to restore files too, if some changed since the prompt. */
async function offerFiles(client: TerminalClient, sessionId: string, prompt: PromptEntry): Promise<void> {
  const { id: promptId } = prompt;
  const rewind = () => client.commandQueue.run({ type: "rewind", promptId }).then(restorePrompt(client, prompt));
  const files = await changedSince(client, sessionId, promptId);
  if (files.length === 0) return rewind();
  offerActions(client, "Files have changed since then. What should be rewound?", files, [
    { name: "the conversation only; files stay", ofFiles: false, run: rewind },
    { name: "both", ofFiles: true, run: (partial) => undo(client, promptId, true, partial).then(restorePrompt(client, prompt)) },
    { name: "the files only", ofFiles: true, run: (partial) => undo(client, promptId, false, partial) },
  ]);
}

async function undo(client: TerminalClient, promptId: string | undefined, conversation: boolean, partial: PartialUndo): Promise<boolean> {
  const done = await client.commandQueue.run({ type: "undo", conversation, ...partial, ...omitUndefined({ promptId }) });
  if (done && conversation) client.notify(`Restored the ${partial.partial ? "other " : ""}files and rewound the conversation.`);
  return done;
}

/** Puts the text of the rewound prompt into the line, unless the daemon refused. */
const restorePrompt = (client: TerminalClient, prompt: Entry | undefined) => (done: boolean) => {
  if (done && prompt?.kind === "prompt") client.line.setText(prompt.slash ?? prompt.text);
  client.draw();
};

type Changed = { path: string; to: string | null; conflict: boolean };
/** Whether to skip files that changed outside of the session. */
type PartialUndo = { partial?: true };
type RewindAction = { name: string; ofFiles: boolean; run: (partial: PartialUndo) => Promise<unknown> };

const MAX_FILES = 12;

/** Lists the changed files and the possible actions. Files that changed outside of the session are skipped. */
function offerActions(client: TerminalClient, question: string, files: readonly Changed[], all: readonly RewindAction[]): void {
  const style = client.style();
  const { ansi } = style;
  const blocked = files.filter((file) => file.conflict).length;
  const others = files.length - blocked;
  const actions = all.filter(({ ofFiles }) => others > 0 || !ofFiles);
  const without = blocked === 1 ? "skipping the file that changed since then" : `skipping the ${blocked} files that changed since then`;
  const actionName = ({ name, ofFiles }: RewindAction) => (ofFiles && blocked > 0 ? `${name}, ${without}` : name);
  const fileLines = files
    .toSorted((a, b) => Number(b.conflict) - Number(a.conflict)) // skipped files come first
    .slice(0, MAX_FILES)
    .map(({ path, to, conflict: theirs }) =>
      truncate(
        `  ${to === null ? "remove" : "restore"} ${oneLine(path)}${theirs ? ": changed since then, skipped" : ""}`,
        contentWidth(style),
      ),
    );
  const rest = files.length > MAX_FILES ? [ansi.dim(`  … and ${files.length - MAX_FILES} more`)] : [];
  if (actions.length === 0) {
    client.print([...fileLines, ...rest, "", "  All of these files changed since then. Commit or move the changes, then try again."]);
    return;
  }
  client.offer(
    [ansi.bold(question), ...fileLines, ...rest, "", ...actions.map((action, i) => `  ${ansi.bold(String(i + 1))} ${actionName(action)}`)],
    actions.length,
    (i) =>
      runDetached(actions[i]?.run(blocked > 0 ? { partial: true } : {}) ?? Promise.resolve(), (error) =>
        client.notify(errorMessage(error)),
      ),
  );
}

async function changedSince({ link }: TerminalClient, sessionId: string, promptId: string) {
  try {
    return (await link.api.session.undoPlan.query({ sessionId, promptId })).files;
  } catch (error) {
    if (refusalOf(error)?.code === "nothing_to_undo") return [];
    throw error;
  }
}
