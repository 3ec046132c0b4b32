import type { Entry, PromptEntry } from "@baton/core/session/transcript";
import { oneLine } from "@baton/core/text/sanitize";
import { refusalOf, errorMessage } from "@baton/core/client/errors";
import { cut, contentWidth } from "../../render/layout.ts";
import { runDetached } from "@baton/core/client/run-detached";
import type { TerminalClient } from "../client.ts";

const MAX_CHOICES = 9;

/** Esc Esc: offers the newest prompts of a person, to go back to before one of them. */
export function offerRewind(client: TerminalClient): void {
  const view = client.view();
  const entries = view?.transcript.entries ?? [];
  const prompts = entries
    .filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined)
    .slice(-MAX_CHOICES);
  if (!view || prompts.length === 0) return client.showHint("there is nothing to go back to");
  const newest = prompts.toReversed();
  const look = client.look();
  const lines = newest.map(({ text }, i) => cut(`  ${look.ink.bold(String(i + 1))} ${oneLine(text)}`, contentWidth(look)));
  client.offer([look.ink.bold("Go back to before which prompt?"), ...lines], newest.length, (i) => {
    const prompt = newest[i];
    if (prompt) runDetached(offerFiles(client, view.id, prompt), (error) => client.say(errorMessage(error)));
  });
}

/** `/undo`: offers to take back what the newest turn that changed files did to them, and the conversation since. */
export async function offerUndo(client: TerminalClient): Promise<void> {
  const view = client.view();
  if (!view) return client.say("There is no session yet.");
  const { promptId, files } = await client.link.api.session.undoPlan.query({ sessionId: view.id });
  const prompt = view.transcript.entries.find((entry) => entry.kind === "prompt" && entry.id === promptId);
  offer(client, "Take back what the newest turn did to files?", files, [
    { name: "the files", ofFiles: true, run: (partial) => undo(client, promptId, false, partial) },
    {
      name: "the files, and the conversation since",
      ofFiles: true,
      run: (partial) => undo(client, promptId, true, partial).then(backTo(client, prompt)),
    },
  ]);
}

/** `/redo`: offers to bring back what the last undo took from files. */
export async function offerRedo(client: TerminalClient): Promise<void> {
  const view = client.view();
  if (!view) return client.say("There is no session yet.");
  const { files } = await client.link.api.session.undoPlan.query({ sessionId: view.id, redo: true });
  offer(client, "Bring back what the last undo took from files?", files, [
    { name: "the files", ofFiles: true, run: (partial) => client.outbox.wish({ type: "redo", ...partial }) },
  ]);
}

/** Where files were changed since, asks whether they go back too. */
async function offerFiles(client: TerminalClient, sessionId: string, prompt: PromptEntry): Promise<void> {
  const { id: promptId } = prompt;
  const rewind = () => client.outbox.wish({ type: "rewind", promptId }).then(backTo(client, prompt));
  const files = await changedSince(client, sessionId, promptId);
  if (files.length === 0) return rewind();
  offer(client, "Files were changed since. What goes back?", files, [
    { name: "the conversation only; files stay", ofFiles: false, run: rewind },
    { name: "both", ofFiles: true, run: (partial) => undo(client, promptId, true, partial).then(backTo(client, prompt)) },
    { name: "the files only", ofFiles: true, run: (partial) => undo(client, promptId, false, partial) },
  ]);
}

async function undo(client: TerminalClient, promptId: string | undefined, conversation: boolean, partial: Partly): Promise<boolean> {
  const done = await client.outbox.wish({ type: "undo", conversation, ...partial, ...(promptId === undefined ? {} : { promptId }) });
  if (done && conversation)
    client.say(`The ${partial.partial ? "other " : ""}files are as they were, and the conversation goes on from before.`);
  return done;
}

/** Puts the text of a prompt that was taken back into the line again; not when the daemon refused. */
const backTo = (client: TerminalClient, prompt: Entry | undefined) => (done: boolean) => {
  if (done && prompt?.kind === "prompt") client.line.setText(prompt.text);
  client.draw();
};

type Changed = { path: string; to: string | null; conflict: boolean };
/** Whether files that somebody else has changed since are left, and the others changed. */
type Partly = { partial?: true };
type Deed = { name: string; ofFiles: boolean; run: (partial: Partly) => Promise<unknown> };

const MAX_FILES = 12;

/** What was changed, and what can be done about it; files that somebody else has changed since are not touched. */
function offer(client: TerminalClient, question: string, files: readonly Changed[], all: readonly Deed[]): void {
  const look = client.look();
  const { ink } = look;
  const blocked = files.filter((file) => file.conflict).length;
  const others = files.length - blocked;
  const deeds = all.filter(({ ofFiles }) => others > 0 || !ofFiles);
  const without = blocked === 1 ? "without the file that was changed since" : `without the ${blocked} files that were changed since`;
  const nameOf = ({ name, ofFiles }: Deed) => (ofFiles && blocked > 0 ? `${name}, ${without}` : name);
  const listed = files
    .toSorted((a, b) => Number(b.conflict) - Number(a.conflict)) // those that stay are always in sight
    .slice(0, MAX_FILES)
    .map(({ path, to, conflict: theirs }) =>
      cut(`  ${to === null ? "remove" : "restore"} ${oneLine(path)}${theirs ? ": changed since, so it stays" : ""}`, contentWidth(look)),
    );
  const rest = files.length > MAX_FILES ? [ink.dim(`  … and ${files.length - MAX_FILES} more`)] : [];
  if (deeds.length === 0) {
    client.print([...listed, ...rest, "", "  All of them were changed since. Commit or move these changes, then try again."]);
    return;
  }
  client.offer(
    [ink.bold(question), ...listed, ...rest, "", ...deeds.map((deed, i) => `  ${ink.bold(String(i + 1))} ${nameOf(deed)}`)],
    deeds.length,
    (i) =>
      runDetached(deeds[i]?.run(blocked > 0 ? { partial: true } : {}) ?? Promise.resolve(), (error) => client.say(errorMessage(error))),
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
