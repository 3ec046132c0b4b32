import type { PromptEntry } from "@baton/core/session/transcript";
import { oneLine } from "@baton/core/text/clean";
import { refusalOf } from "@baton/daemon/client";
import { cut, roomOf } from "../../render/layout.ts";
import { inBackground } from "../in-background.ts";
import { messageFor } from "../problem.ts";
import type { TerminalClient } from "./client.ts";
import { draftOf } from "./draft.ts";

const MOST = 9;

/** Esc Esc: offers the newest prompts of a person, to go back to before one of them. */
export function offerRewind(client: TerminalClient): void {
  const feed = client.feed();
  const entries = feed?.transcript.entries ?? [];
  const prompts = entries.filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined).slice(-MOST);
  if (!feed || prompts.length === 0) return void (client.hint = "there is nothing to go back to");
  const newest = prompts.toReversed();
  const look = client.look();
  const lines = newest.map(({ text }, i) => cut(`  ${look.ink.bold(String(i + 1))} ${oneLine(text)}`, roomOf(look)));
  client.offer([look.ink.bold("Go back to before which prompt?"), ...lines], newest.length, (i) => {
    const prompt = newest[i];
    if (prompt) inBackground(offerFiles(client, feed.id, prompt), (error) => client.say(messageFor(error)));
  });
}

/** Where files were changed since, asks whether they go back too. */
async function offerFiles(client: TerminalClient, sessionId: string, { id: promptId, text }: PromptEntry): Promise<void> {
  const back = () => {
    client.draft = draftOf(text);
    client.draw();
  };
  const rewind = () => client.outbox.wish({ type: "rewind", promptId }).then(back);
  const undo = (conversation: boolean) =>
    client.outbox.wish({ type: "undo", promptId, conversation }).then(() => (conversation ? back() : undefined));
  const files = await changedSince(client, sessionId, promptId);
  if (files.length === 0) return rewind();
  const look = client.look();
  const { ink } = look;
  const conflict = files.some((file) => file.conflict);
  const listed = files.map(({ path, to, conflict: theirs }) =>
    cut(`  ${to === null ? "remove" : "restore"} ${oneLine(path)}${theirs ? " – changed by somebody else since" : ""}`, roomOf(look)),
  );
  const deeds: [string, () => Promise<void>][] = [
    ["the conversation only; files stay", rewind],
    ...(conflict
      ? []
      : ([
          ["both", () => undo(true)],
          ["the files only", () => undo(false)],
        ] satisfies [string, () => Promise<void>][])),
  ];
  client.offer(
    [
      ink.bold("Files were changed since. What goes back?"),
      ...listed,
      "",
      ...deeds.map(([name], i) => `  ${ink.bold(String(i + 1))} ${name}`),
    ],
    deeds.length,
    (i) => inBackground(deeds[i]?.[1]() ?? Promise.resolve(), (error) => client.say(messageFor(error))),
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
