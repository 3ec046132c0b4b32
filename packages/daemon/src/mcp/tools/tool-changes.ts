import { exact } from "@baton/core/text/sanitize";
import { hintWords, type Listed } from "./listed-tool.ts";

/** A tool as it was approved: what a later description is held against. */
export type Approved = { hash: string; description: string };

/** Tools that are not what was approved, and those that are no more. */
export type Difference = { fresh: Listed[]; changed: { is: Listed; was: Approved }[] };

export function differenceOf(listed: readonly Listed[], approved: Readonly<Record<string, Approved>>): Difference {
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
export function differenceText({ fresh, changed }: Difference): string {
  return [
    ...changed.map(({ is, was }) =>
      was.description === is.description
        ? `Changed: ${exact(is.tool)} (${hintWords(is.hints)})\n  its arguments or hints are others; its description is as before`
        : `Changed: ${exact(is.tool)} (${hintWords(is.hints)})\n${lines("  - ", was.description)}\n${lines("  + ", is.description)}`,
    ),
    ...fresh.map((is) => `New: ${exact(is.tool)} (${hintWords(is.hints)})\n${lines("  ", is.description)}`),
  ].join("\n\n");
}

const lines = (before: string, text: string): string =>
  exact(text)
    .split("\n")
    .map((line) => before + line)
    .join("\n");

/** These tools as they are now, to be held against later. */
export const approvedOf = (listed: readonly Listed[]): Record<string, Approved> =>
  Object.fromEntries(listed.map(({ tool, hash, description }) => [tool, { hash, description }]));
