import { omitUndefined } from "@baton/core/text/omit-undefined";
import { oneLine, visibleLine } from "@baton/core/text/sanitize";
import { shortenHome } from "@baton/core/text/format";
import type { PluginItem } from "@baton/core/protocol/config/plugin";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

type PluginRow = Awaited<ReturnType<Api["plugin"]["list"]["query"]>>[number];

/** Whether a plugin is used in a folder, as a sentence without its end. */
export function pluginUseSentence({ problem, use }: Pick<PluginRow, "problem" | "use">): string {
  if (problem !== null) return problem;
  const where = use.modes ? `, only in ${use.modes.length === 1 ? "the mode" : "the modes"} ${use.modes.join(", ")}` : "";
  switch (use.by) {
    case "managed":
      return "not used: the managed config turns it off";
    case "user":
      return use.on ? `used everywhere${where}` : "not used: your config turns it off";
    case "project":
      return use.on ? `used here: this project asks for it${where}` : "not used here: this project turns it off";
    case "nobody":
      return "not used here: only a project can ask for it, or `baton plugins enable` uses it everywhere";
  }
}

/** Lists the installed plugins. */
export async function listPlugins({ json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const rows = await api.plugin.list.query({ cwd: resolveWorkspace() });
    if (json) return printJson(rows);
    if (rows.length === 0) return printLines(["No plugins. `baton plugins add` installs one."]);
    const { ansi, home } = terminalStyle();
    printLines(
      rows.flatMap((row) => [
        `${ansi.bold(row.name)}${row.version === null ? "" : ` ${oneLine(row.version)}`}  ${oneLine(row.description)}`,
        row.problem === null ? ansi.dim(`  ${pluginUseSentence(row)}`) : ansi.failure(`  ${oneLine(pluginUseSentence(row))}`),
        ansi.dim(`  ${countText(row.items)}; from ${shortenHome(oneLine(row.source), home)}`),
      ]),
    );
  });
}

/** How many parts of each kind there are. */
function countText(items: readonly PluginItem[]): string {
  const counts = [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}${length === 1 ? "" : "s"}`);
  return counts.length === 0 ? "nothing that Baton can use" : counts.join(", ");
}

/** Shows the contents of an installed plugin. */
export async function showPlugin(name: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const rows = await api.plugin.list.query({ cwd: resolveWorkspace() });
    const row = rows.find((each) => each.name === name);
    if (!row) throw usageError(`There is no plugin ${name}. \`baton plugins\` lists them.`);
    if (json) return printJson(row);
    printLines([...pluginHeadingLines(row), oneLine(pluginUseSentence(row)), "", ...itemLines(row.items), ...noteLines(row.notes)]);
  });
}

/** The name, the source and the hash of a plugin. */
export function pluginHeadingLines({
  name,
  version,
  description,
  source,
  pinned,
  hash,
}: Pick<PluginRow, "name" | "version" | "description" | "source" | "pinned" | "hash">): string[] {
  const { ansi } = terminalStyle();
  return [
    `${ansi.bold(name)}${version === null ? "" : ` ${oneLine(version)}`}  ${oneLine(description)}`,
    `from ${oneLine(source)}${pinned === "" ? "" : `, ${oneLine(pinned)}`}`,
    `hash ${hash}`,
  ];
}

/** The parts of a plugin by kind, with their exact commands. Invisible characters are shown. */
export function itemLines(items: readonly PluginItem[], mark = ""): string[] {
  const { ansi } = terminalStyle();
  return [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, list]) => [
    ansi.bold(`${mark}${kind}s`),
    ...list.flatMap(({ name, detail, file }) => [
      `  ${visibleLine(name)}${ansi.dim(`  ${visibleLine(file)}`)}`,
      ...(detail === "" ? [] : [`    ${visibleLine(detail)}`]),
    ]),
  ]);
}

/** The parts that have no effect. */
export const noteLines = (notes: readonly string[]): string[] =>
  notes.length === 0 ? [] : ["", ...notes.map((note) => `Note: ${visibleLine(note)}`)];

/** Uses a plugin in all folders, or in none. `mode`: only in these modes. */
export async function usePlugin(
  name: string,
  on: boolean,
  { json = false, mode: modes }: { json?: boolean; mode?: string[] },
): Promise<void> {
  await withConnection(async ({ api }) => {
    const cwd = resolveWorkspace();
    const row = await api.plugin.use.mutate({ commandId: crypto.randomUUID(), cwd, name, on, ...omitUndefined({ modes }) });
    if (json) printJson(row);
    else printLines([`${row.name} is ${oneLine(pluginUseSentence(row))}.`]);
  });
}

/** Removes a plugin. */
export async function removePlugin(name: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const removed = await api.plugin.remove.mutate({ commandId: crypto.randomUUID(), name });
    if (json) printJson(removed);
    else printLines([`The plugin ${removed.removed} is removed.`]);
  });
}
