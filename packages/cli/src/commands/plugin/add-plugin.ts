import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { visibleLine } from "@baton/core/text/sanitize";
import type { PluginChanges } from "@baton/core/protocol/config/plugin";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { printJson, printLines } from "../output.ts";
import { confirm } from "../terminal-prompts.ts";
import { pluginHeadingLines, itemLines, noteLines, pluginUseSentence } from "./plugins.ts";

export type AddOptions = { yes?: string; unused?: boolean; json?: boolean };

type Offer = Awaited<ReturnType<Api["plugin"]["fetch"]["mutate"]>>;

/** Fetches a plugin, shows its contents and asks. */
export async function addPlugin(source: string, options: AddOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const offer = await api.plugin.fetch.mutate({ commandId: crypto.randomUUID(), source: absoluteSource(source) });
    await approve(api, offer, options);
  });
}

/** Fetches a plugin again, shows the difference and asks. */
export async function updatePlugin(name: string, options: AddOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const offer = await api.plugin.fetch.mutate({ commandId: crypto.randomUUID(), name });
    await approve(api, offer, options);
  });
}

/** A folder as an absolute path, also as the place of a marketplace. Everything else is read by the daemon. */
function absoluteSource(source: string): string {
  const [, name, place] = /^([a-z0-9][a-z0-9.-]*@)((?:\.{1,2}|~)(?:\/.*)?)$/s.exec(source) ?? [];
  if (name !== undefined && place !== undefined) return `${name}${absoluteSource(place)}`;
  const isHome = source === "~" || source.startsWith("~/");
  const isFolder = /^\.{1,2}(?:[\\/]|$)/.test(source) || path.isAbsolute(source) || isFolderHere(source);
  return isHome ? path.join(homedir(), source.slice(1)) : isFolder ? path.resolve(source) : source;
}

const isFolderHere = (source: string): boolean => statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;

async function approve(api: Api, offer: Offer, { yes, unused = false, json = false }: AddOptions): Promise<void> {
  const { hash, installed, changes } = offer;
  const isSame = installed?.hash === hash && isUnchanged(changes);
  if (isSame) return json ? printJson(offer) : printLines([`${offer.name} is up to date.`]);
  if (!json)
    printLines([
      ...pluginHeadingLines(offer),
      "",
      ...(changes ? changeLines(changes) : itemLines(offer.items)),
      ...noteLines(offer.notes),
      "",
    ]);
  if (yes !== undefined && yes !== hash)
    throw usageError(
      `The contents have the hash ${hash}, not ${yes}. Nothing was installed. Look at the contents before you approve them.`,
    );
  if (yes === undefined) {
    if (json) return printJson(offer);
    if (!process.stdin.isTTY)
      throw usageError(`Nothing was installed, because nobody can answer here. To approve these contents, use --yes ${hash}`);
    const question = installed
      ? "Install this version?"
      : "Its language servers run with your permissions, and so do its hooks and MCP servers after one more question each. Install it?";
    if (!(await confirm(question))) return printLines(["Nothing was installed."]);
  }
  const row = await api.plugin.approve.mutate({ commandId: crypto.randomUUID(), cwd: resolveWorkspace(), hash, use: !unused });
  if (json) printJson(row);
  else printLines([`${row.name} is installed and ${pluginUseSentence(row)}.`]);
}

const isUnchanged = (changes: PluginChanges | null): boolean =>
  changes === null || Object.values(changes.files).every(({ length }) => length === 0);

/** The difference from the installed version. */
function changeLines({ added, removed, files }: PluginChanges): string[] {
  const named = (what: string, names: readonly string[]) => names.map((name) => `${what} ${visibleLine(name)}`);
  return [
    ...itemLines(removed, "- "),
    ...itemLines(added, "+ "),
    ...named("new file", files.added),
    ...named("removed file", files.removed),
    ...named("changed file", files.changed),
  ];
}
