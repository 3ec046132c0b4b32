import { emptyTranscript, foldTranscript } from "@baton/core/session/transcript";
import { clean } from "@baton/core/text/clean";
import { allEvents } from "@baton/daemon/client";
import { drawTranscript } from "../render/transcript.ts";
import { clock } from "../render/clock.ts";
import { findSession } from "./find-session.ts";
import { huesFrom, lookNow, printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";

/** Prints a session as it went: for people its transcript, with `--json` its state and all its events. */
export async function show(named: string, { json = false }: { json?: boolean }): Promise<void> {
  await withLink(async ({ api }) => {
    const { id } = await findSession(api, named);
    const { state, seq } = await api.session.open.query({ sessionId: id, tail: 1 });
    const events = await allEvents(api, id);
    if (json) return printJson({ id, seq, state, events });
    const look = lookNow(process.stdout, await huesFrom(api));
    const transcript = emptyTranscript();
    for (const event of events) foldTranscript(transcript, event);
    const { ink } = look;
    printLines([
      `${ink.bold(clean(state.title) || "(no prompt yet)")} ${ink.dim(`· ${id} · since ${new Date(state.createdAt).toLocaleDateString("en-CA")} ${clock(state.createdAt)}`)}`,
      "",
      ...drawTranscript(transcript, look),
    ]);
  });
}
