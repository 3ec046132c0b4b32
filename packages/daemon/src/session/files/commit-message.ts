import type { TokenUsage } from "@baton/core/protocol/tool-call";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { sanitize } from "@baton/core/text/sanitize";
import { filterDiff } from "./filter-diff.ts";
import type { SharedDependencies } from "../session-dependencies.ts";
import { trackPartialUsage } from "../turn/partial-reply.ts";

/** `recent`: subjects of earlier commits, which show the style. `model`: the model of the session, if there is one. */
type Wanted = { workspace: string; diff: string; recent: readonly string[]; model?: string | undefined };

/** `leftOut`: files whose changes the model did not see, because they may hold keys. */
type CommitMessage = { message: string; leftOut: string[]; usage: TokenUsage | undefined };

/** Longer diffs are cut: the beginning of a large change tells enough. In characters. */
const MAX_DIFF = 60_000;
const MAX_MESSAGE = 4_000;
const TIMEOUT_MS = 60_000;

/** Lets the small model, otherwise the session's model, write a message for a diff. It changes nothing and commits nothing. */
export async function commitMessage(
  { workspace, diff, recent, model }: Wanted,
  services: SharedDependencies,
  signal: AbortSignal,
): Promise<CommitMessage | { refused: Refusal }> {
  const budget = services.spending.budget();
  if (budget !== undefined && services.spending.today() >= budget)
    return refuse("limit_reached", `All sessions together have reached the daily limit of $${budget.toFixed(2)}.`);
  const holdsKeys = (path: string) => {
    const gated = services.permissions.gate({ action: "read", resource: path }, workspace);
    return "refused" in gated || gated.some(({ floor }) => floor !== undefined);
  };
  const { diff: visible, leftOut } = filterDiff(diff, holdsKeys);
  if (visible.trim() === "")
    return refuse("nothing_to_commit", leftOut.length === 0 ? "The diff is empty." : "The diff has only files that may hold keys.");
  const resolved = services.models.resolve([services.settings.smallModel(), model]);
  if ("code" in resolved) return { refused: resolved };
  const { onPart, spent } = trackPartialUsage();
  const reply = await resolved.model(
    {
      sessionId: "commit-message",
      step: 0,
      purpose: "commit",
      system: await services.prompts.text("commit-message"),
      messages: [{ role: "user", text: promptText(visible, recent) }],
      tools: [],
      readBlob: services.store.readBlob,
    },
    onPart,
    AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  );
  const usage = "failed" in reply ? spent() : reply.usage;
  if ("failed" in reply) return refuse("model_failed", reply.failed.message);
  const message = cleanCommitMessage(reply.text);
  return message === "" ? refuse("model_failed", `${resolved.id} gave no message.`) : { message, leftOut, usage };
}

function promptText(diff: string, recent: readonly string[]): string {
  const earlier = recent.length === 0 ? "" : `Subjects of earlier commits:\n${recent.map((subject) => `- ${subject}`).join("\n")}\n\n`;
  const cut = diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF)}\n(The rest of the diff is left out.)` : diff;
  return `${earlier}The diff:\n\n${cut}\n\nThe message:`;
}

/** The message without the fences and quotes that models put around it. */
export const cleanCommitMessage = (text: string): string =>
  sanitize(text)
    .trim()
    .replace(/^```\w*\n([\s\S]*?)\n```$/, "$1")
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim()
    .slice(0, MAX_MESSAGE);
