import { formatCount } from "@baton/core/text/format";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { diffText, diffView, endOfDiff, textOfDiff } from "../files/diff/diff.ts";
import { explainPathError } from "../files/may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";
import { actingTool, failed, inputField, ok, type PreviewContext } from "../tool-types.ts";
import type { TextChange } from "./code-query-types.ts";

const MAX_NAME = 200;
const isName = (text: string): boolean => text.length <= MAX_NAME && !/[\s\p{C}]/u.test(text);

export const renameSymbol = actingTool({
  ...toolFields("rename_symbol"),
  description: "Rename a symbol in all files that use it, with the language server.",
  input: toolArguments({
    path: z.string().min(1),
    symbol: z.string().min(1),
    new_name: z.string().min(1).refine(isName, "A name is short and has no blanks."),
    line: z.int().min(1).optional().describe("of the symbol, default its first occurrence"),
  }),
  label: (input) => ({
    verb: "rename",
    object: escapeHidden(`${inputField(input, "symbol")} → ${inputField(input, "new_name")}`),
  }),
  access: ({ path }) => [
    { action: "edit", resource: path },
    { action: "read", resource: path },
  ],
  plan: async ({ path, symbol, new_name, line }, { cwd, code, signal }) => {
    const changes = await code.rename(cwd, { file: path, symbol, line }, new_name, signal);
    return "fault" in changes ? failed(`${changes.fault}\nNothing was changed.`) : { changes };
  },
  beforehand: async (_, context) => {
    const fault = await findOutdated(context);
    return fault === undefined ? undefined : failed(fault);
  },
  question: "Rename this symbol?",
  preview: async (_, { plan }) => {
    const views = viewsOf(plan?.changes ?? []);
    const [only] = views;
    if (only && views.length === 1) return only;
    return { type: "text", text: views.map(textOfDiff).join("\n\n"), format: "plain" };
  },
  run: async ({ symbol, new_name }, context) => {
    const { plan, ports, signal } = context;
    if (!plan) return failed("Baton restarted before it renamed the symbol. Nothing was changed. Call rename_symbol again.");
    const fault = await findOutdated(context);
    if (fault !== undefined) return failed(fault);
    const done: string[] = [];
    for (const { path, after } of plan.changes) {
      const written = await ports.files.writeText(path, after, signal);
      if ("fault" in written)
        return failed(
          `${explainPathError(written, path)}\n${done.length === 0 ? "Nothing was changed." : `Changed before that: ${done.join(", ")}.`}`,
        );
      done.push(written.relative);
    }
    const views = viewsOf(plan.changes);
    const [only] = views;
    const isOne = only !== undefined && views.length === 1;
    return ok(`Renamed ${symbol} to ${new_name} in ${done.join(", ")}.\n${diffText(views)}`, {
      end: isOne ? endOfDiff(only) : formatCount(done.length, "file"),
      ...(isOne ? { view: only } : {}),
    });
  },
});

const viewsOf = (changes: readonly TextChange[]) => changes.map(({ path, before, after }) => diffView(path, before, after));

/** Why the plan must not be carried out: a file is not what the language server read. */
async function findOutdated({ plan, ports, signal }: PreviewContext): Promise<string | undefined> {
  for (const { path, before } of plan?.changes ?? []) {
    const now = await ports.files.readText(path, signal, "edit");
    if ("fault" in now) return `${explainPathError(now, path)}\nNothing was changed.`;
    if (now.text !== before)
      return `${path} is not the text that the language server read: it changed, or an editor has not saved it. Nothing was changed. Call rename_symbol again.`;
  }
  return undefined;
}
