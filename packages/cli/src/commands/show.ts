import { emptyTranscript, foldTranscript } from "@baton/core/session/transcript";
import { counted, spentText } from "@baton/core/text/format";
import { clean } from "@baton/core/text/sanitize";
import { allEvents } from "@baton/core/client/all-events";
import { drawTranscript } from "../render/transcript.ts";
import { clock } from "../render/format-time.ts";
import type { Usage } from "@baton/core/protocol/call";
import { findSession } from "../connection/find-session.ts";
import { huesFrom, lookNow, printJson, printLines } from "./output.ts";
import { subtasksOf } from "../connection/list-subtasks.ts";
import { withLink } from "../connection/with-connection.ts";

/** Prints a session as it went: for people its transcript, with `--json` its state and all its events. */
export async function show(named: string, { json = false }: { json?: boolean }): Promise<void> {
  await withLink(async ({ api }) => {
    const { id } = await findSession(api, named);
    const { state, seq } = await api.session.open.query({ sessionId: id, tail: 1 });
    const events = await allEvents(api, id);
    const cost = {
      own: state.usage.cost,
      subtasks: (await subtasksOf(api, id)).reduce((sum, row) => sum + row.cost, 0),
      ...sureness(state.usage),
    };
    if (json) return printJson({ id, seq, state, cost, events });
    const look = lookNow(process.stdout, await huesFrom(api));
    const transcript = emptyTranscript();
    for (const event of events) foldTranscript(transcript, event);
    const { ink } = look;
    printLines([
      `${ink.bold(clean(state.title) || "(no prompt yet)")} ${ink.dim(`· ${id} · since ${new Date(state.createdAt).toLocaleDateString("en-CA")} ${clock(state.createdAt)}`)}`,
      ink.dim(costText(state.usage, cost)),
      "",
      ...drawTranscript(transcript, look),
    ]);
  });
}

/** Whether a part has no known price, and how many tokens nobody counted; only what there is. */
type Sureness = Pick<Usage, "unpriced" | "estimated">;
const sureness = ({ unpriced, estimated }: Usage): Sureness => ({
  ...(unpriced ? { unpriced } : {}),
  ...(estimated ? { estimated } : {}),
});

function costText(usage: Usage, { own, subtasks }: { own: number; subtasks: number }): string {
  const { input, cachedInput, output } = usage;
  const tokens = `${counted(input)} tokens in (${counted(cachedInput)} cached), ${counted(output)} out`;
  const more = subtasks > 0 ? `, with subtasks $${(own + subtasks).toFixed(2)}` : "";
  return `${tokens} · ${spentText(usage)}${more}`;
}
