import { toolCalledAs } from "@baton/core/tool/tool-table";
import { isRecord } from "@baton/core/text/json";
import { parse, type ParseError } from "jsonc-parser";
import * as z from "zod";
import { argumentCalledAs, isRemark, snakeCase } from "./call/argument-names.ts";
import { commandCall } from "./call/normalize-command-call.ts";
import { coerceArgument } from "./call/coerce-argument.ts";
import { MAX_CONTEXT } from "./files/search-text.ts";
import type { Tool } from "./tool-types.ts";

/** A call as a model sent it. `raw`: arguments that are not a JSON object. */
type Sent = { tool: string; input?: unknown; raw?: string | undefined };
type CanonicalCall = { tool: string; input: unknown } | { tool: string; raw: string };
type Tools = { get: (name: string) => Tool | undefined };

/**
 * Converts a call to Baton's names if it has exactly one meaning. It accepts other agents' names of tools and arguments, numbers and
 * booleans as texts, trailing commas, and missing arguments. Anything else is unchanged, so that the model learns what is wrong. Baton
 * judges the call as the tool that it becomes.
 */
export function normalizeCall(sent: Sent, tools: Tools): CanonicalCall {
  const parsed = sent.raw === undefined ? { input: sent.input } : objectIn(sent.raw);
  if (parsed === undefined) return { tool: findTool(sent.tool, tools)?.name ?? sent.tool, raw: sent.raw ?? "" };
  const { input } = parsed;
  const call = (tools.get(sent.tool) ? undefined : editorCall({ tool: bareName(sent.tool), input })) ?? { tool: sent.tool, input };
  const tool = findTool(call.tool, tools);
  if (!tool) return { tool: sent.tool, input };
  const meant = commandCall({ tool: tool.name, input: call.input });
  const other = meant.tool === tool.name ? tool : tools.get(meant.tool);
  return other ? { tool: other.name, input: canonicalInput(other, meant.input) } : { tool: tool.name, input: call.input };
}

/** A name without what some models put before and after it, such as `functions.read_file:0`. */
const bareName = (sent: string): string => sent.replace(/^(?:functions|default_api|tools|tool)[.:]/, "").replace(/:\d+$/, "");

function findTool(sent: string, tools: Tools): Tool | undefined {
  const exact = tools.get(sent);
  if (exact) return exact;
  const bare = bareName(sent);
  const ofServer = bare.startsWith("mcp__") ? tools.get(bare.slice("mcp__".length)) : undefined;
  return tools.get(bare) ?? ofServer ?? tools.get(snakeCase(bare)) ?? tools.get(toolCalledAs(bare) ?? "");
}

/** The object in a JSON text, which may be in a JSON string. Undefined if the text is incomplete or something else. */
function objectIn(raw: string): { input: unknown } | undefined {
  if (raw.trim() === "") return { input: {} };
  const errors: ParseError[] = [];
  const input: unknown = parse(raw, errors, { allowTrailingComma: true, disallowComments: true });
  if (errors.length > 0) return undefined;
  if (typeof input === "string" && input.trimStart().startsWith("{")) return objectIn(input);
  return isRecord(input) ? { input } : undefined;
}

function canonicalInput(tool: Tool, sent: unknown): unknown {
  if (!isRecord(sent) || tool.input.safeParse(sent).success) return sent;
  const properties = propertiesOf(tool);
  const input = withoutHints(tool.name, withOneQuestion(tool.name, withLineRange(tool.name, unwrapped(sent, properties))));
  const canonical = isRecord(input) ? withKnownNames(input, properties) : undefined;
  if (!canonical) return sent;
  const whole = tool.name === "edit_file" ? withKnownEdits(canonical, properties) : canonical;
  return tool.input.safeParse(whole).success ? whole : sent;
}

const WRAPPERS: ReadonlySet<string> = new Set(["arguments", "parameters", "input", "args"]);

/** The object in `{"arguments": {…}}`. */
function unwrapped(input: Record<string, unknown>, properties: Record<string, unknown>): Record<string, unknown> {
  const [[key, value] = ["", undefined], ...others] = Object.entries(input);
  return others.length === 0 && WRAPPERS.has(key) && !(key in properties) && isRecord(value) ? value : input;
}

/** The arguments under Baton's names, with the types of the schema. Undefined if two of them have the same meaning. */
function withKnownNames(input: Record<string, unknown>, properties: Record<string, unknown>): Record<string, unknown> | undefined {
  const names = Object.keys(properties);
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    const name = names.includes(key) ? key : argumentCalledAs(key, names);
    if (value === null) return [];
    if (name !== undefined) return [[name, coerceArgument(value, properties[name])]];
    return isRemark(key) ? [] : [[key, value]];
  });
  return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : undefined;
}

/** Several edits of one file, which other agents have as a tool of its own. They may be a JSON text. */
function withKnownEdits(input: Record<string, unknown>, properties: Record<string, unknown>): Record<string, unknown> {
  const edits = coerceArgument(input["edits"], { type: "array" });
  if (!Array.isArray(edits)) return input;
  return { ...input, edits: edits.map((edit: unknown) => (isRecord(edit) ? (withKnownNames(edit, properties) ?? edit) : edit)) };
}

function propertiesOf({ schema, input }: Tool): Record<string, unknown> {
  const { properties } = schema ?? z.toJSONSchema(input, { io: "input" });
  return isRecord(properties) ? properties : {};
}

/** Reads `offset` and `limit` of other agents' read tools as the first and last line. */
function withLineRange(tool: string, input: unknown): unknown {
  if (tool !== "read_file" || !isRecord(input) || "start_line" in input || "end_line" in input) return input;
  const { offset, limit, ...rest } = input;
  const [first, count] = [integer(offset), integer(limit)];
  if ((offset !== undefined && first === undefined) || (limit !== undefined && (count === undefined || count < 1))) return input;
  const start = Math.max(1, first ?? 1);
  return {
    ...rest,
    ...(first === undefined ? {} : { start_line: start }),
    ...(count === undefined ? {} : { end_line: start + count - 1 }),
  };
}

/** Claude Code asks one to four `questions` at once. Several of them, or one with several answers, become one question with a list. */
function withOneQuestion(tool: string, input: unknown): unknown {
  if (tool !== "ask_followup_question" || !isRecord(input) || !Array.isArray(input["questions"])) return input;
  const questions = (input["questions"] as unknown[]).map(readQuestion);
  const [only, ...others] = questions;
  if (!only || questions.includes(undefined)) return input;
  if (others.length === 0 && !only.isMultiple) return { question: only.question, follow_up: only.answers };
  const lists = questions.flatMap((each, i) => (each ? [listQuestion(each, others.length > 0 ? `${i + 1}. ` : "")] : []));
  return { question: lists.join("\n\n"), follow_up: [{ text: others.length > 0 ? "Decide all of them yourself" : "Decide yourself" }] };
}

type OneQuestion = { question: string; answers: { text: string }[]; isMultiple: boolean };

function readQuestion(question: unknown): OneQuestion | undefined {
  if (!isRecord(question) || typeof question["question"] !== "string" || !Array.isArray(question["options"])) return undefined;
  const answers = (question["options"] as unknown[]).flatMap((option) => {
    if (!isRecord(option) || typeof option["label"] !== "string") return [];
    const { label, description } = option;
    return [{ text: typeof description === "string" && description !== "" ? `${label}: ${description}` : label }];
  });
  return { question: question["question"], answers, isMultiple: question["multiSelect"] === true };
}

const listQuestion = ({ question, answers, isMultiple }: OneQuestion, number: string): string =>
  [`${number}${question}${isMultiple ? " (several answers are possible)" : ""}`, ...answers.map(({ text }) => `- ${text}`)].join("\n");

/** Arguments of other agents that only shorten or arrange the result. */
const HINTS: Readonly<Record<string, readonly string[]>> = { search_text: ["-n", "output_mode", "head_limit"], fetch_url: ["prompt"] };

/** Leaves hints out, reads the `-i` of Grep as a part of the pattern, and the larger of its `-A`, `-B` and `-C` as the context. */
function withoutHints(tool: string, input: unknown): unknown {
  const hints = HINTS[tool];
  if (!hints || !isRecord(input)) return input;
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !hints.includes(key)));
  if (tool !== "search_text") return rest;
  const { "-i": ignoresCase = false, "-A": after, "-B": before, "-C": around, pattern, ...others } = rest;
  const contexts = [after, before, around].filter((lines) => lines !== undefined).map(integer);
  const counts = contexts.filter((lines) => lines !== undefined);
  if (typeof ignoresCase !== "boolean" || typeof pattern !== "string" || counts.length < contexts.length) return rest;
  const context = counts.length === 0 ? {} : { context: Math.min(MAX_CONTEXT, Math.max(...counts)) };
  return { ...others, ...context, pattern: ignoresCase ? `(?i)${pattern}` : pattern };
}

function integer(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

type Call = { tool: string; input: unknown };

const TOOLS: Readonly<Record<string, string>> = { view: "read_file", create: "write_file", str_replace: "edit_file" };

/** Reads a call of Anthropic's text editor tool, whose `command` says which tool is meant. Undefined if it is no such call. */
function editorCall({ tool, input }: Call): Call | undefined {
  if (!/^str_?replace_?(?:based_?edit_?tool|editor)$/i.test(tool) || !isRecord(input)) return undefined;
  const { command, view_range: range, ...rest } = input;
  const meant = typeof command === "string" ? TOOLS[command] : undefined;
  if (meant === undefined) return undefined;
  if (!Array.isArray(range)) return { tool: meant, input: rest };
  const [start, end] = range as unknown[];
  return { tool: meant, input: { ...rest, start_line: start, ...(end === -1 ? {} : { end_line: end }) } };
}
