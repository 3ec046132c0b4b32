import { readFileSync } from "node:fs";
import path from "node:path";
import { Effect, Rule } from "@baton/core/protocol/rule";
import * as z from "zod";
import { describeIssues } from "@baton/core/client/describe-issues";
import { readLines } from "../../run/prompt-for-answer.ts";
import { type Api, withConnection } from "../../connection/daemon-connection.ts";
import { printJson } from "../output.ts";
import { printVerdict } from "./permissions.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";

export type CheckOptions = {
  tool?: string;
  input?: string;
  action?: string;
  resource?: string;
  mode?: string;
  cwd?: string;
  rules?: string;
  onlyRules?: boolean;
  stdin?: boolean;
  json?: boolean;
};

/** Options that apply to every query that does not set them itself. */
type Defaults = { cwd: string; mode?: string; onlyRules?: boolean; rules?: Rule[] };

type CheckQuery = Parameters<Api["permission"]["check"]["query"]>[0][number];

/** Rules in either form of config.jsonc. */
const Rules = z.union([
  z.array(Rule),
  z
    .record(z.string(), z.union([Effect, z.record(z.string(), Effect)]))
    .transform((table) =>
      Object.entries(table).flatMap(([action, effects]): Rule[] =>
        typeof effects === "string"
          ? [{ action, resource: "*", effect: effects }]
          : Object.entries(effects).map(([resource, effect]) => ({ action, resource, effect })),
      ),
    ),
]);

const Question = z.strictObject({
  tool: z.string().optional(),
  input: z.unknown().optional(),
  action: z.string().optional(),
  resource: z.string().optional(),
  mode: z.string().optional(),
  cwd: z.string().optional(),
  rules: Rules.optional(),
  onlyRules: z.boolean().optional(),
  trusted: z.boolean().optional(),
});

/**
 * Prints what would happen to a call or an access, and runs nothing. It exits with 0 for every verdict. With `--stdin` it
 * reads one query per line and prints one answer per line, in order. Options apply to every line; rules of a line come
 * last.
 */
export async function check(options: CheckOptions): Promise<void> {
  const cwd = path.resolve(options.cwd ?? ".");
  const { tool, action, resource, mode, onlyRules } = options;
  const rules = options.rules === undefined ? undefined : rulesIn(options.rules);
  const defined = (all: object) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  if (options.stdin) return withConnection(({ api }) => checkLines(api, { cwd, ...defined({ mode, onlyRules, rules }) }));
  if (tool === undefined && (action === undefined || resource === undefined))
    throw usageError("Give --tool and --input to check a call, or --action and --resource to check an access.");
  const query: unknown = {
    ...defined({ tool, action, resource, mode, onlyRules, rules }),
    ...(options.input === undefined ? {} : { input: json("--input", options.input) }),
  };
  const question = toQuery(query, { cwd });
  if ("error" in question) throw usageError(question.error);
  await withConnection(async ({ api }) => {
    const [answer] = await api.permission.check.query([question]);
    if (!answer) throw new CommandExit("The daemon gave no answer.", EXIT_CODES.failed);
    if (options.json) printJson(answer);
    if ("error" in answer) throw usageError(answer.error);
    if (!options.json) printVerdict(answer);
  });
}

const MAX_BATCH_LINES = 1_000;
/**
 * Characters per batch. A message has at most 1 MB, a character at most three bytes, and a rule table doubles in size as a
 * list.
 */
const MAX_BATCH_CHARACTERS = 128 * 1024;
const MAX_BATCHES = 4;

/** Sends lines in batches, several at a time, and prints the answers in the order of the lines. */
async function checkLines(api: Api, defaults: Defaults): Promise<void> {
  const pending: Promise<string>[] = [];
  const printNext = async () => {
    const text = await pending.shift();
    if (text !== undefined && text !== "" && !process.stdout.write(text))
      await new Promise((drained) => process.stdout.once("drain", drained));
  };
  const eachMore = JSON.stringify(defaults.rules ?? []).length;
  let batch: string[] = [];
  let characters = 0;
  const send = () => {
    pending.push(checkBatch(api, batch, defaults));
    batch = [];
    characters = 0;
  };
  for await (const line of readLines(process.stdin)) {
    if (line.trim() === "") continue;
    batch.push(line);
    characters += line.length + eachMore;
    if (batch.length < MAX_BATCH_LINES && characters < MAX_BATCH_CHARACTERS) continue;
    send();
    if (pending.length >= MAX_BATCHES) await printNext();
  }
  if (batch.length > 0) send();
  while (pending.length > 0) await printNext();
}

async function checkBatch(api: Api, lines: string[], defaults: Defaults): Promise<string> {
  const questions = lines.map((line) => toQuery(parse(line), defaults));
  const queries = questions.filter((question): question is CheckQuery => !("error" in question));
  const answers = queries.length === 0 ? [] : await api.permission.check.query(queries);
  let next = 0;
  return questions.map((question) => `${JSON.stringify("error" in question ? question : answers[next++])}\n`).join("");
}

const NO_JSON = Symbol("not JSON");

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return NO_JSON;
  }
}

function toQuery(value: unknown, defaults: Defaults): CheckQuery | { error: string } {
  if (value === NO_JSON) return { error: "This line is not JSON." };
  const parsed = Question.safeParse(value);
  if (!parsed.success) return { error: `This is not a valid query: ${describeIssues(parsed.error, value)}.` };
  const { cwd, rules = [], ...question } = parsed.data;
  const all = [...(defaults.rules ?? []), ...rules];
  return {
    ...defaults,
    ...question,
    ...(all.length > 0 ? { rules: all } : {}),
    cwd: cwd === undefined ? defaults.cwd : path.resolve(defaults.cwd, cwd),
  };
}

function rulesIn(file: string): Rule[] {
  const parsed = Rules.safeParse(parse(readRules(file)));
  if (parsed.success) return parsed.data;
  throw usageError(
    `${file} has no valid rules. Write them as in config.jsonc: [{"action": "command", "resource": "git *", "effect": "ask"}].`,
  );
}

function readRules(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function json(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${option} must be JSON.`);
  }
}
