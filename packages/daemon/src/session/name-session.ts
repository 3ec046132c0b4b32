import { oneLine } from "@baton/core/text/clean";
import type { Loop } from "./loop.ts";

const MOST_READ = 4_000;
const MOST_TITLE = 80;

/**
 * Lets the small model, where one is set, name a session after its first prompt. Whoever gave it another title meanwhile
 * wins; without an answer it keeps its prompt for a name.
 */
export async function nameSession(session: Loop): Promise<void> {
  const { id, state, parts } = session;
  const small = parts.smallModel();
  if (small === undefined || state.parent) return;
  const resolved = parts.models.resolve([small]);
  const first = (await session.messages()).find((message) => message.role === "user");
  if ("code" in resolved || !first) return;
  const before = state.title;
  const prompt = { role: "user" as const, text: `What the person asks:\n\n${first.text.slice(0, MOST_READ)}\n\nThe title:` };
  const reply = await resolved.model(
    {
      sessionId: id,
      step: 0,
      purpose: "title",
      system: await parts.text("title"),
      messages: [prompt],
      tools: [],
      readBlob: parts.readBlob,
    },
    () => undefined,
    AbortSignal.timeout(60_000),
  );
  const title = "failed" in reply ? "" : titleIn(reply.text);
  if ("failed" in reply || title === "" || session.state.title !== before) return;
  await session.note([{ type: "session.renamed", title, usage: reply.usage }]);
}

/** The first line that says something, without the quotes and marks that models put around it. */
function titleIn(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return oneLine(line)
    .trim()
    .replace(/^(#+|title:)\s*/i, "")
    .replace(/^["'“”*]+|["'“”*.]+$/g, "")
    .slice(0, MOST_TITLE)
    .trim();
}
