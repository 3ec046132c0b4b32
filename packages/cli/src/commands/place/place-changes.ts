import { formatCount, shortenHome } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { changeLines } from "../../render/changed-files.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";
import { placeReference } from "./manage-place.ts";

export type DiffOptions = { uncommitted?: boolean; branch?: string; json?: boolean };

/** Prints the changes of a place since its base, since its last commit, or since it left a branch. */
export async function diffPlace(place: string, { uncommitted = false, branch, json = false }: DiffOptions): Promise<void> {
  if (uncommitted && branch !== undefined) throw usageError("--uncommitted and --branch exclude each other. Pass one of them.");
  const comparison =
    branch !== undefined ? { scope: "branch" as const, branch } : { scope: uncommitted ? ("uncommitted" as const) : ("base" as const) };
  await withConnection(async ({ api }) => {
    const changes = await api.place.changes.query({ ...placeReference(place), comparison });
    if (json) return printJson(changes);
    if (changes.length === 0) return printLines([`${place} has no changes.`]);
    const files = changes.map(({ path, change, view }) => ({
      path,
      before: change === "create" ? null : "",
      after: change === "delete" ? null : "",
      elsewhere: false,
      view,
    }));
    printLines([...changeLines(files, terminalStyle()), formatCount(changes.length, "changed file")]);
  });
}

export type ApplyOptions = { conflicts?: "stop" | "skip" | "mark"; preview?: boolean; json?: boolean };

/** Applies the changes of a place to the checkout that it came from. A file that cannot be applied makes the exit code 1. */
export async function applyPlace(
  place: string,
  paths: readonly string[],
  { conflicts = "stop", preview = false, json = false }: ApplyOptions,
): Promise<void> {
  await withConnection(async ({ api }) => {
    const chosen = paths.length === 0 ? {} : { paths: [...paths] };
    const report = preview
      ? await api.place.applyPlan.query({ ...placeReference(place), ...chosen })
      : await api.place.applyChanges.mutate({ ...placeReference(place), ...chosen, conflicts });
    const checkout = (await api.place.list.query({ cwd: process.cwd() })).find(({ name }) => name === place)?.checkout ?? "";
    if (json) printJson(report);
    else printLines(preview ? planLines(report) : resultLines(report, shortenHome(checkout, terminalStyle().home), place));
    if (!preview && report.left.length > 0) throw new CommandExit("", EXIT_CODES.failed);
  });
}

/** Takes back what `apply` wrote. */
export async function revertPlace(place: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const report = await api.place.revertChanges.mutate(placeReference(place));
    if (json) return printJson(report);
    printLines([`Took back ${formatCount(report.applied.length, "file")}.`, ...leftLines(report)]);
  });
}

type Report = Awaited<ReturnType<Api["place"]["applyPlan"]["query"]>>;

const MEANING: Readonly<Record<Report["files"][number]["action"], string>> = {
  write: "apply",
  same: "already there",
  merge: "merge with your changes",
  conflict: "conflict",
  skip: "left out",
};

const planLines = ({ files }: Report): string[] =>
  files.length === 0
    ? ["There are no changes to apply."]
    : files.map(({ path, action, why }) => `  ${MEANING[action]}: ${oneLine(path)}${why === undefined ? "" : ` (${why})`}`);

function resultLines(report: Report, checkout: string, place: string): string[] {
  const skipped = report.files.filter(
    ({ path, action }) => action !== "same" && !report.applied.includes(path) && !report.left.some((left) => left.path === path),
  );
  if (report.files.length === 0) return ["There are no changes to apply."];
  if (report.files.every(({ action }) => action === "same")) return [`${checkout} already has all changes of ${place}.`];
  const applied = `Applied ${formatCount(report.applied.length, "file")} to ${checkout}.`;
  return [
    report.applied.length === 0 ? applied : `${applied} \`baton places revert ${place}\` takes them back.`,
    ...report.files
      .filter(({ action, path }) => action === "conflict" && report.applied.includes(path))
      .map(({ path }) => `  ${oneLine(path)} has conflict markers. Resolve them.`),
    ...skipped.map(({ path, why }) => `  left out: ${oneLine(path)}${why === undefined ? "" : ` (${why})`}`),
    ...leftLines(report),
  ];
}

const leftLines = ({ left }: Report): string[] => left.map(({ path, why }) => `  unchanged: ${oneLine(path)} (${why})`);
