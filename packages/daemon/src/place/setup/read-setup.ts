import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse as parseJsonc, type ParseError } from "jsonc-parser";
import * as z from "zod";

/**
 * Commands that make a new place ready to work in, and commands that clean up before its removal. `file`: where they are written. `hash`: of
 * all commands. The user approves this hash, so a change asks again.
 */
export type PlaceSetup = { file: string; setup: readonly string[]; teardown: readonly string[]; hash: string };

type Commands = { setup: readonly string[]; teardown: readonly string[] };

/** A file, and how its text becomes commands. Undefined: it has none. The result of an invalid file says what is wrong. */
type Format = { file: string; read: (text: string, file: string) => Promise<Commands | undefined> | Commands | undefined };

const CODEX_FOLDER = ".codex/environments";

/** In this order. The first file with commands counts. */
const formats: readonly Format[] = [
  { file: ".baton/place.jsonc", read: ofBaton },
  { file: `${CODEX_FOLDER}/environment.toml`, read: ofCodex },
  ...[".kilo/setup-script", ".kilo/setup-script.sh"].map((file) => ({ file, read: (text: string) => ofScript(text) })),
  { file: ".cursor/worktrees.json", read: ofCursor },
  { file: "t3.json", read: ofT3 },
];

/** Reads the setup of a checkout. Undefined without one. `problem`: the first file that exists is invalid. */
export async function readSetup(checkout: string): Promise<PlaceSetup | { problem: string } | undefined> {
  for (const { file, read } of [...formats, ...(await otherCodexFiles(checkout))]) {
    const text = await readFile(path.join(checkout, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    try {
      const commands = await read(text, file);
      if (!commands || commands.setup.length + commands.teardown.length === 0) continue;
      return { file, ...commands, hash: hash("sha256", JSON.stringify([commands.setup, commands.teardown])) };
    } catch (error) {
      return { problem: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  return undefined;
}

/** Codex keeps one file per environment. Only a single one is unambiguous. */
async function otherCodexFiles(checkout: string): Promise<Format[]> {
  const names = (await readdir(path.join(checkout, CODEX_FOLDER)).catch(() => [])).filter((name) => name.endsWith(".toml"));
  const [only] = names;
  return only !== undefined && names.length === 1 ? [{ file: `${CODEX_FOLDER}/${only}`, read: ofCodex }] : [];
}

const Lines = z.union([z.string().transform((line) => [line]), z.array(z.string())]).default([]);
const ownFormat = z.strictObject({ setup: Lines, teardown: Lines });

function ofBaton(text: string): Commands {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error("it is not valid JSON with comments");
  return valid(ownFormat, value);
}

/** `[setup] script` and `[cleanup] script`, each a whole script. */
async function ofCodex(text: string): Promise<Commands> {
  const { parse } = await import("smol-toml");
  const Script = z.looseObject({ script: z.string().optional() }).optional();
  const { setup, cleanup } = valid(z.looseObject({ setup: Script, cleanup: Script }), parse(text));
  return { setup: nonEmpty(setup?.script), teardown: nonEmpty(cleanup?.script) };
}

/** A script with a shell of its own is written to a file and run, so its text is one command here. */
const ofScript = (text: string): Commands => ({ setup: nonEmpty(text), teardown: [] });

/** `setup-worktree`: commands, or the name of a script. The key for Unix wins. */
function ofCursor(text: string): Commands {
  const Setup = z
    .union([z.array(z.string()), z.string().transform((script) => [script.startsWith("/") ? script : `sh .cursor/${script}`])])
    .optional();
  const value: unknown = parseJsonc(text);
  const found = valid(z.looseObject({ "setup-worktree": Setup, "setup-worktree-unix": Setup }), value);
  return { setup: found["setup-worktree-unix"] ?? found["setup-worktree"] ?? [], teardown: [] };
}

/** The scripts that say that they run when a worktree is created. */
function ofT3(text: string): Commands {
  const Scripts = z.array(z.looseObject({ command: z.string(), runOnWorktreeCreate: z.boolean().optional() })).default([]);
  const value: unknown = parseJsonc(text);
  const { scripts } = valid(z.looseObject({ scripts: Scripts }), value);
  return { setup: scripts.flatMap(({ command, runOnWorktreeCreate }) => (runOnWorktreeCreate ? command : [])), teardown: [] };
}

const nonEmpty = (script = ""): string[] => (script.trim() === "" ? [] : [script]);

function valid<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join(".") || "the file"}: ${issue?.message ?? "it is invalid"}`);
}
