import { hash } from "node:crypto";
import { escapeInvisible } from "@baton/core/text/sanitize";
import type { View } from "@baton/core/protocol/tool-view";
import type { HookFile, KnownHook } from "./hook-definition.ts";

/** The question whether the hooks of a file may run. `hashes`: exactly what would be approved. */
export type HookApprovalQuestion = { file: string; hashes: readonly string[]; hash: string; header: string; text: string; view: View };

/** Asks about all hooks of a file that nobody has decided, with their exact commands. */
export function hookApprovalQuestion(file: HookFile, hooks: readonly KnownHook[]): HookApprovalQuestion {
  const undecided = hooks.filter(({ status }) => status === "undecided");
  const hashes = [...new Set(undecided.map(({ ref }) => ref.hash))];
  return {
    file: file.label,
    hashes,
    hash: hash("sha256", JSON.stringify(hashes)),
    header: "Run these hooks?",
    text: `${file.path} defines ${undecided.length === 1 ? "a hook" : `${undecided.length} hooks`}. Hooks run with your permissions, outside of all rules for tools. Baton asks again when they change.`,
    view: { type: "text", format: "plain", text: undecided.map(hookText).join("\n\n") },
  };
}

/** A hook with everything that the user approves. */
function hookText({ definition, ref }: KnownHook): string {
  const { event, matcher, condition, launch, timeoutMs, async, once, onFailure } = definition;
  const when = [
    matcher === undefined || matcher === "" ? [] : `matcher ${matcher}`,
    condition === undefined ? [] : `if ${condition}`,
  ].flat();
  const run =
    launch.type === "http" ? `POST ${launch.url}` : [launch.command, ...(launch.args ?? []).map((word) => JSON.stringify(word))].join(" ");
  const how = [
    `at most ${timeoutMs / 1_000} s`,
    ...(async ? ["nothing waits for it"] : []),
    ...(once ? ["once in a session"] : []),
    ...(onFailure === "ask" ? [] : [`if it fails: ${onFailure}`]),
  ];
  const sent = launch.type === "http" ? Object.entries(launch.headers).map(([name, value]) => `  ${name}: ${value}`) : [];
  return escapeInvisible(
    [`${event}${when.length > 0 ? `, ${when.join(", ")}` : ""} (${ref.source}; ${how.join(", ")})`, `  ${run}`, ...sent].join("\n"),
  );
}
