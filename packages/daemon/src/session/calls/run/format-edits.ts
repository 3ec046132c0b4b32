import { diffView, endOfDiff } from "../../../tool/files/diff/diff.ts";
import type { ToolExecutionResult } from "../../../tool/tool-types.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

type Context = Pick<EffectContext, "services" | "state">;

/**
 * Formats the files that a call has written, before Baton records them. The result names the files whose text changed, and its diff
 * shows the formatted text.
 */
export async function formatEdits(
  outcome: ToolExecutionResult,
  edited: ReadonlyMap<string, string | null>,
  { services, state: { workspace } }: Context,
  signal: AbortSignal,
): Promise<ToolExecutionResult> {
  let result = outcome;
  for (const [path, before] of edited) {
    const formatter = signal.aborted ? undefined : await services.formatters.format(workspace, path, signal);
    if (formatter === undefined) continue;
    const text = `${result.text}\nThe formatter ${formatter} then changed ${path}. Read it before you change these lines again.`;
    result = { ...result, text, ...(await formattedView(result, path, before, { services, workspace })) };
  }
  return result;
}

/** The diff of a result, if it shows this file, from the text before the edit to the formatted text. */
async function formattedView(
  { view }: ToolExecutionResult,
  path: string,
  before: string | null,
  { services: { snapshots }, workspace }: Pick<Context, "services"> & { workspace: string },
): Promise<Partial<ToolExecutionResult>> {
  if (view?.type !== "diff" || view.path !== path) return {};
  const after = await snapshots.keep(workspace, path);
  const [old, now] = await Promise.all([before, after].map(async (hash) => (hash ? await snapshots.read(hash) : undefined)));
  if (now === undefined || (before !== null && old === undefined)) return {};
  const shown = diffView(path, old && textOf(old), textOf(now));
  return { view: shown, end: endOfDiff(shown) };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
