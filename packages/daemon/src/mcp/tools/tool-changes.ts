import { escapeInvisible } from "@baton/core/text/sanitize";
import { annotationHints, type ListedTool } from "./listed-tool.ts";

/** A tool as it was approved: what a later description is held against. */
export type ApprovedTool = { hash: string; description: string };

/** Tools that are not what was approved, and those that are no more. */
export type ToolChanges = { fresh: ListedTool[]; changed: { is: ListedTool; was: ApprovedTool }[] };

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

/** For a person who is to approve: every tool with all that the model would read of it; of a changed one what it was. */
export function toolChangesText({ fresh, changed }: ToolChanges): string {
  return [
    ...changed.map(({ is, was }) =>
      was.description === is.description
        ? `Changed: ${escapeInvisible(is.tool)} (${annotationHints(is.hints)})\n  its arguments or hints are others; its description is as before`
        : `Changed: ${escapeInvisible(is.tool)} (${annotationHints(is.hints)})\n${lines("  - ", was.description)}\n${lines("  + ", is.description)}`,
    ),
    ...fresh.map((is) => `New: ${escapeInvisible(is.tool)} (${annotationHints(is.hints)})\n${lines("  ", is.description)}`),
  ].join("\n\n");
}

const lines = (before: string, text: string): string =>
  escapeInvisible(text)
    .split("\n")
    .map((line) => before + line)
    .join("\n");

/** These tools as they are now, to be held against later. */
export const toApprovedTools = (listed: readonly ListedTool[]): Record<string, ApprovedTool> =>
  Object.fromEntries(listed.map(({ tool, hash, description }) => [tool, { hash, description }]));
