import { omitUndefined } from "@baton/core/text/omit-undefined";
import { oneLine } from "@baton/core/text/sanitize";
import { trackPartialUsage } from "./partial-reply.ts";
import type { EffectContext } from "../effects/effect-context.ts";

const MAX_READ = 4_000;
const MAX_TITLE = 80;

/**
 * Lets the small model, if one is set, name a session after its first prompt. A title that the user gave meanwhile wins.
 * Without an answer the session keeps its prompt as its name.
 */
export async function nameSession(session: EffectContext): Promise<void> {
  const { id, state, services } = session;
  const small = services.settings.smallModel();
  if (small === undefined || state.parent) return;
  const resolved = services.models.resolve([small]);
  const first = (await session.log.messages()).find((message) => message.role === "user");
  if ("code" in resolved || !first) return;
  const before = state.title;
  const prompt = { role: "user" as const, text: `The user asks:\n\n${first.text.slice(0, MAX_READ)}\n\nThe title:` };
  const { onPart, spent } = trackPartialUsage();
  const reply = await resolved.model(
    {
      sessionId: id,
      step: 0,
      purpose: "title",
      system: await services.prompts.text("title"),
      messages: [prompt],
      tools: [],
      readBlob: services.store.readBlob,
    },
    onPart,
    AbortSignal.timeout(60_000),
  );
  const usage = "failed" in reply ? spent() : reply.usage;
  const title = "failed" in reply ? "" : titleIn(reply.text);
  if (title !== "" && session.state.title === before) await session.note([{ type: "session.renamed", title, ...omitUndefined({ usage }) }]);
  else if (usage) await session.note([{ type: "model.spent", usage }]);
}

/** The first line with content, without the quotes and markup that models put around it. */
function titleIn(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return oneLine(line)
    .trim()
    .replace(/^(#+|title:)\s*/i, "")
    .replace(/^["'“”*]+|["'“”*.]+$/g, "")
    .slice(0, MAX_TITLE)
    .trim();
}
