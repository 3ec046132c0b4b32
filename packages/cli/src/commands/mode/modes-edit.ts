import { omitUndefined } from "@baton/core/text/omit-undefined";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { jsonOrText } from "@baton/core/text/json";
import { formatCount } from "@baton/core/text/format";
import { confirm } from "../terminal-prompts.ts";
import { type Api, withConnection } from "../../connection/daemon-connection.ts";
import type { Scope } from "./modes-files.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";

export type CreateOptions = { scope?: Scope; from?: string; set?: string[]; json?: boolean };
export type EditOptions = CreateOptions;
export type DeleteOptions = { scope?: Scope; json?: boolean };

type Definition = Record<string, unknown>;

/** Creates a mode from fields or from a file. Without a role, the description becomes the role. */
export async function createMode(slug: string, { scope = "global", from, set = [], json = false }: CreateOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const fields = parseFields(set);
    const begun = from === undefined ? template(slug, fields) : await definitionIn(api, from);
    const definition = { ...begun, ...fields, slug };
    const mode = await api.mode.create.mutate({ cwd: process.cwd(), scope, definition });
    if (json) return printJson({ mode });
    printLines([`Created ${slug} in ${mode.filePath ?? scope}.`]);
  });
}

/** Defaults for the fields of a new mode. */
function template(slug: string, { description }: Definition): Definition {
  if (typeof description !== "string" || description.trim() === "")
    throw usageError(`A mode needs a description: baton modes create ${slug} --set description="When to use it".`);
  return { name: slug, roleDefinition: `You work in the mode ${slug}. ${description}`, groups: ["read"] };
}

/** Changes fields of a mode. Without fields, opens its file in the user's editor. A built-in mode gets a file first. */
export async function editMode(slug: string, { scope, from, set = [], json = false }: EditOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const { slug: _, ...fields } = from === undefined ? {} : await definitionIn(api, from);
    const change = { ...fields, ...parseFields(set) };
    const where = { cwd: process.cwd(), slug, ...omitUndefined({ scope }) };
    const isChange = Object.keys(change).length > 0;
    const { mode: before } = await api.mode.show.query({ cwd: process.cwd(), slug });
    const mode = isChange || before.filePath === undefined ? await api.mode.update.mutate({ ...where, change }) : before;
    if (json) return printJson({ mode });
    const file = mode.filePath ?? "";
    if (isChange || !openInEditor(file, mode.line ?? 1)) printLines([isChange ? `Changed ${slug} in ${file}.` : file]);
  });
}

/**
 * Deletes the definition of a mode. In a terminal it asks first. A built-in mode with the same slug becomes active again.
 */
export async function deleteMode(slug: string, { scope, yes = false, json = false }: DeleteOptions & { yes?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const question = !yes && process.stdin.isTTY && process.stderr.isTTY ? await deleteQuestion(api, slug) : undefined;
    if (question !== undefined && !(await confirm(question))) throw new CommandExit("Nothing was deleted.", EXIT_CODES.failed);
    const deleted = await api.mode.delete.mutate({ cwd: process.cwd(), slug, ...omitUndefined({ scope }) });
    if (json) printJson(deleted);
    else printLines([`Deleted ${slug}.`]);
  });
}

/** The question before a deletion: it names the file and the sessions in the mode. Undefined if the mode has no file. */
async function deleteQuestion(api: Api, slug: string): Promise<string | undefined> {
  const [{ mode }, sessions] = await Promise.all([
    api.mode.show.query({ cwd: process.cwd(), slug }),
    api.session.list.query({ limit: 10_000 }),
  ]);
  if (mode.filePath === undefined) return undefined;
  const ids = sessions.flatMap(({ id, mode: its }) => (its === slug ? [id] : []));
  const users =
    ids.length === 0
      ? ""
      : ` ${formatCount(ids.length, "session")} ${ids.length === 1 ? "uses" : "use"} it: ${ids.slice(0, 5).join(", ")}.`;
  return `Delete the mode ${slug} from ${mode.filePath}?${users}`;
}

/** Restores a built-in mode that a file or the config overrides. */
export async function restoreMode(slug: string, { scope, json = false }: DeleteOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const restored = await api.mode.restore.mutate({ cwd: process.cwd(), slug, ...omitUndefined({ scope }) });
    if (json) printJson(restored);
    else printLines([`Restored the built-in ${slug}.`]);
  });
}

/** The single mode that a file defines. */
async function definitionIn(api: Api, file: string): Promise<Definition> {
  const { modes, diagnostics } = await api.mode.validate.query({ cwd: process.cwd(), files: [{ path: path.resolve(file) }] });
  const [mode, second] = modes;
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error) throw usageError(`${error.file}:${error.line}:${error.column} ${error.message} ${error.fix ?? ""}`.trim());
  if (!mode || second) throw usageError(`${file} defines ${modes.length} modes. Name a file with one mode, or use \`baton modes import\`.`);
  const { source: _s, format: _f, filePath: _p, line: _l, ...definition } = mode;
  return definition;
}

/** Parses `name=value`; the value is JSON or plain text. */
function parseFields(set: readonly string[]): Definition {
  return Object.fromEntries(
    set.map((each): [string, unknown] => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(each) ?? [];
      if (name === undefined || value === undefined) throw usageError(`--set takes name=value, not ${each}.`);
      return [name, jsonOrText(value)];
    }),
  );
}

/** Opens a file in the user's editor. Returns false without a terminal or a configured editor. */
function openInEditor(file: string, line: number): boolean {
  const editor = process.env["VISUAL"] ?? process.env["EDITOR"];
  if (editor === undefined || editor === "" || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const [program = editor, ...args] = editor.split(" ");
  const at = /(?:^|\/)(?:vi|vim|nvim|nano|emacs)$/.test(program) ? [`+${line}`] : [];
  return spawnSync(program, [...args, ...at, file], { stdio: "inherit" }).status === 0;
}
