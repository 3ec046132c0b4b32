import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { formatNumber, formatCost, formatTime } from "@baton/core/text/format";
import { sanitize } from "@baton/core/text/sanitize";
import { readAllEvents } from "@baton/core/client/follow-events";
import { drawTranscript } from "../../render/transcript/transcript.ts";
import type { TokenUsage } from "@baton/core/protocol/tool-call";
import { findSession, listSubtasks } from "../../connection/find-by-id.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Prints a session: its transcript, or its state and events with `--json`. */
export async function show(reference: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id } = await findSession(api, reference);
    const { state, seq } = await api.session.open.query({ sessionId: id, tail: 1 });
    const events = await readAllEvents(api, id);
    const cost = {
      own: state.usage.cost,
      subtasks: (await listSubtasks(api, id)).reduce((sum, row) => sum + row.cost, 0),
      ...sureness(state.usage),
    };
    if (json) return printJson({ id, seq, state, cost, events });
    const style = terminalStyle(process.stdout, await fetchModeColors(api));
    const transcript = transcriptOf(events);
    const { ansi } = style;
    printLines([
      `${ansi.bold(sanitize(state.title) || "(no prompt yet)")} ${ansi.dim(`· ${id} · since ${new Date(state.createdAt).toLocaleDateString("en-CA")} ${formatTime(state.createdAt)}`)}`,
      ansi.dim(costText(state.usage, cost)),
      "",
      ...drawTranscript(transcript, style),
    ]);
  });
}

/** Whether a price is unknown, and how many tokens are estimates. */
type Sureness = Pick<TokenUsage, "unpriced" | "estimated">;
const sureness = ({ unpriced, estimated }: TokenUsage): Sureness => ({
  ...(unpriced ? { unpriced } : {}),
  ...(estimated ? { estimated } : {}),
});

function costText(usage: TokenUsage, { own, subtasks }: { own: number; subtasks: number }): string {
  const { input, cachedInput, cacheWrite = 0, output } = usage;
  const written = cacheWrite > 0 ? `, ${formatNumber(cacheWrite)} written to the cache` : "";
  const tokens = `${formatNumber(input)} tokens in (${formatNumber(cachedInput)} cached${written}), ${formatNumber(output)} out`;
  const more = subtasks > 0 ? `, with subtasks $${(own + subtasks).toFixed(2)}` : "";
  return `${tokens} · ${formatCost(usage)}${more}`;
}
