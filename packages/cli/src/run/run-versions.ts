import { newCommandId } from "@baton/core/client/command-client";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { MAX_VERSIONS, planVersions } from "@baton/core/place/plan-prompt-versions";
import { noUsage } from "@baton/core/session/usage/add-usage";
import { formatCount, formatDuration, formatMoney } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { findOrCreatePlace, type Place } from "../commands/place/find-or-create-place.ts";
import { terminalStyle } from "../commands/output.ts";
import type { Api } from "../connection/daemon-connection.ts";
import { usageError } from "../connection/exit-codes.ts";
import { markdownTableLines } from "../render/markdown-table.ts";
import type { RunReporter } from "./run-reporter.ts";
import type { TurnResult } from "./turn-collector.ts";

/** One attempt at a prompt: its place, its result, and what it changed. */
type Version = {
  place: string;
  model: string;
  tookMs: number;
  result: TurnResult;
  changes: { files: number; added: number; removed: number };
};

/** How many versions run, and the models that the user named. */
export function countVersions(versions: number | undefined, models: string | undefined): { count: number; models: string[] } {
  const named =
    models
      ?.split(",")
      .map((model) => model.trim())
      .filter(Boolean) ?? [];
  const count = versions ?? Math.max(1, named.length);
  if (count > MAX_VERSIONS) throw usageError(`--versions ${count} is too many. At most ${MAX_VERSIONS} versions run side by side.`);
  if (named.length > count)
    throw usageError(`--model names ${named.length} models for ${formatCount(count, "version")}. Name fewer, or raise --versions.`);
  return { count, models: named };
}

type VersionsOptions = {
  workspace: string;
  count: number;
  models: readonly string[];
  name: string | undefined;
  base: string | undefined;
};

/** Runs the same prompt in a place per version, side by side, and compares them. One that fails does not stop the others. */
export async function runVersions(
  api: Api,
  { workspace, count, models, name, base }: VersionsOptions,
  turn: (place: Place, model: string | undefined, out: RunReporter) => Promise<TurnResult>,
  out: RunReporter,
): Promise<Version[]> {
  const group = newCommandId().slice(0, 12);
  const opened: { place: Place; model: string | undefined }[] = [];
  for (const { place, model } of planVersions({ count, models, name, group }))
    opened.push({ place: await findOrCreatePlace(api, workspace, { place, base, group }, { ask: false }), model });
  return Promise.all(
    opened.map(async ({ place, model }) => {
      const began = performance.now();
      const say = (text: string) => out.warn(`${place.name}: ${text}`);
      say(`started in ${place.workspace}${model === undefined ? "" : ` with ${model}`}`);
      const result = await turn(place, model, quietReporter(say)).catch((error: unknown) => failedTurn(errorMessage(error)));
      const version = {
        place: place.name,
        model: model ?? "the default model",
        tookMs: performance.now() - began,
        result,
        changes: await changesIn(api, place),
      };
      say(statusText(version));
      return version;
    }),
  );
}

async function changesIn(api: Api, { id }: Place): Promise<Version["changes"]> {
  const files = await api.place.changes.query({ place: id });
  const sum = (count: (view: NonNullable<(typeof files)[number]["view"]>) => number) =>
    files.reduce((total, { view }) => total + (view ? count(view) : 0), 0);
  return { files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

/** Reports only what a user needs to know while several versions run. */
const quietReporter = (say: (text: string) => void): RunReporter => ({
  item: () => undefined,
  request: (request) => say(`needs an answer: ${oneLine(request.header)} (\`baton inbox\`)`),
  connection: () => undefined,
  warn: say,
  result: async () => undefined,
  begun: () => undefined,
  broken: say,
});

const failedTurn = (message: string): TurnResult => ({
  session: "",
  status: "failed",
  text: "",
  usage: noUsage,
  steps: 0,
  requests: { opened: 0, answered: 0, denied: 0 },
  message,
  interrupted: false,
});

const statusText = ({ result: { status, message } }: Version): string =>
  status === "waiting" ? "needs you" : message === undefined || status === "completed" ? status : `${status}: ${oneLine(message)}`;

/** A table with a row per version, and the next commands. */
export function versionLines(versions: readonly Version[]): string[] {
  const style = terminalStyle();
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const head = ["place", "model", "outcome", "changes", "time", "cost", "session"];
  const rows = versions.map((version) => {
    const { place, model, tookMs, result, changes } = version;
    const changed = `${formatCount(changes.files, "file")} +${changes.added} −${changes.removed}`;
    return row([place, model, statusText(version), changed, formatDuration(tookMs), formatMoney(result.usage.cost), result.session]);
  });
  const [first] = versions;
  const next = first
    ? [
        `\`baton places diff ${first.place}\` shows a version, \`baton places apply ${first.place}\` brings it here, and \`baton places remove\` removes one.`,
      ]
    : [];
  return [...markdownTableLines([row(head), row(head.map(() => "---")), ...rows], (cell) => cell, style, style.columns), "", ...next];
}
