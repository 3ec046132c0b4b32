import type { ApprovedTool } from "@baton/core/protocol/event";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { toolHintsText, type ListedTool } from "./listed-tool.ts";

/** New tools, and tools that have changed since their approval. */
type ToolChanges = { fresh: ListedTool[]; changed: { is: ListedTool; was: ApprovedTool }[] };

export function compareTools(listed: readonly ListedTool[], approved: Readonly<Record<string, ApprovedTool>>): ToolChanges {
  const of = (tool: string) => (Object.hasOwn(approved, tool) ? approved[tool] : undefined);
  return {
    fresh: listed.filter(({ tool }) => !of(tool)),
    changed: listed.flatMap((is) => {
      const was = of(is.tool);
      return was && was.hash !== is.hash ? [{ is, was }] : [];
    }),
  };
}

/** The text of an approval: everything that the model would read about each tool, and the old description of a changed one. */
export function toolChangesText({ fresh, changed }: ToolChanges): string {
  return [
    ...changed.map(({ is, was }) =>
      was.description === is.description
        ? `Changed: ${escapeInvisible(is.tool)} (${toolHintsText(is.hints)})\n  its arguments or hints have changed; its description has not`
        : `Changed: ${escapeInvisible(is.tool)} (${toolHintsText(is.hints)})\n${lines("  - ", was.description)}\n${lines("  + ", is.description)}`,
    ),
    ...fresh.map((is) => `New: ${escapeInvisible(is.tool)} (${toolHintsText(is.hints)})\n${lines("  ", is.description)}`),
  ].join("\n\n");
}

const lines = (before: string, text: string): string =>
  escapeInvisible(text)
    .split("\n")
    .map((line) => before + line)
    .join("\n");

/** The tools as they are now, for later comparisons. */
export const toApprovedTools = (listed: readonly ListedTool[]): Record<string, ApprovedTool> =>
  Object.fromEntries(listed.map(({ tool, hash, description }) => [tool, { hash, description }]));
