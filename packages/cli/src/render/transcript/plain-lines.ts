import type { Request } from "@baton/core/protocol/request";
import type { CallEntry, Entry } from "@baton/core/session/transcript/entry";
import { shownVerdicts } from "@baton/core/text/request/request-reason";
import { attachmentSummary } from "@baton/core/text/attachment-text";
import { compactionText } from "@baton/core/text/compaction-notice-text";
import { sanitize, escapeInvisible, oneLine, settleOutput } from "@baton/core/text/sanitize";
import { resourceText } from "@baton/core/text/rule-text";
import { EMPTY_ANSWER_TEXT, lineEndsText, shortHash, shortenHome, formatDuration } from "@baton/core/text/format";

/** Draws an entry for a terminal without redraw: ASCII words, one line per fact. */
export const plainEntryLines = (entry: Entry): string[] => entryFacts(entry).map(ascii);

/** Replaces Baton's own symbols with ASCII. Output of programs keeps other characters. */
const ascii = (line: string): string => line.replace(/[“”’−–…·│]/g, (sign) => ASCII[sign] ?? sign);

const ASCII: Record<string, string> = { "“": '"', "”": '"', "’": "'", "−": "-", "–": "-", "…": "...", "·": "-", "│": "|" };

function entryFacts(entry: Entry): string[] {
  switch (entry.kind) {
    case "prompt":
      return [
        entry.synthetic === undefined ? `> ${sanitize(entry.text)}` : `[daemon] ${sanitize(entry.text)}`,
        ...(entry.images ? [`[with] ${attachmentSummary(entry.images)}`] : []),
        ...hookFacts(entry),
      ];
    case "reply":
      return [
        ...(entry.modelBefore === undefined ? [] : [`[model] ${oneLine(entry.modelBefore)} -> ${oneLine(entry.model)}`]),
        ...(entry.text.trim() === "" ? [] : sanitize(entry.text).trim().split("\n")),
        ...(entry.failure ? [`[FAILED] model: ${oneLine(entry.failure.message)}`] : []),
      ];
    case "call":
      return [...callFacts(entry), ...hookFacts(entry)];
    case "transition":
      return [`[mode] ${entry.from} -> ${entry.to}${entry.reason ? ` (${oneLine(entry.reason)})` : ""}`];
    case "compaction":
      return [`[context] ${compactionText(entry)}`];
    case "end":
      return turnEndFacts(entry);
  }
}

function turnEndFacts({ reason, message, empty, repeats }: Extract<Entry, { kind: "end" }>): string[] {
  if (reason === "completed") {
    if (message !== undefined) return [`[turn] ${oneLine(message)}`];
    return empty ? [`[turn] ${EMPTY_ANSWER_TEXT}`] : [];
  }
  return [`[${reason === "failed" ? "FAILED" : reason}] turn${message && !repeats ? `: ${oneLine(message)}` : ""}`];
}

const WORDS: Record<CallEntry["phase"], string> = {
  requested: "[working]",
  allowed: "[working]",
  running: "[working]",
  waiting: "[needs you]",
  ok: "[ok]",
  failed: "[FAILED]",
  denied: "[denied]",
  interrupted: "[stopped]",
  unknown: "[UNKNOWN]",
};

const hookFacts = ({ hooks = [] }: Pick<CallEntry, "hooks">): string[] => hooks.map(({ text }) => `[hook] ${oneLine(text)}`);

const TAIL = 5;

function callFacts({ phase, label, result, diagnostics, startedAt, endedAt }: CallEntry): string[] {
  if (result?.ends) return sanitize(result.text).trim().split("\n");
  const time = startedAt !== undefined && endedAt !== undefined && endedAt - startedAt >= 1000 ? formatDuration(endedAt - startedAt) : "";
  const counts = result?.view?.type === "diff" ? `+${result.view.added} -${result.view.removed}` : "";
  const end = [oneLine(result?.end ?? counts), time].filter((fact) => fact !== "").join(", ");
  const suffix = phase === "denied" ? ` (${end.replace(/^denied: /, "")})` : `, ${end}`;
  const line = `${WORDS[phase]} ${oneLine(label.verb)}: ${oneLine(label.object)}${end === "" ? "" : suffix}`;
  const output = callOutput(phase, result);
  const found = diagnostics ? sanitize(diagnostics.text).trim().split("\n") : [];
  return [line, ...[...output, ...found].map((text) => `  ${text}`)];
}

function callOutput(phase: CallEntry["phase"], result: CallEntry["result"]): string[] {
  if (result?.view?.type === "terminal" && phase !== "denied") return lastLines(result.view.head + result.view.tail);
  return phase === "failed" ? lastLines(result?.text ?? "") : [];
}

const lastLines = (text: string): string[] => settleOutput(text).trim().split("\n").slice(-TAIL);

/** A request with numbered choices. */
export function plainRequestLines(request: Request, nth: number, of: number, home: string): string[] {
  const { view, folder, hash, rule, verdicts, choices, kind, subject } = request;
  const isCall = kind === "approval" && "call" in subject;
  const numbered = choices.map(({ id, label }, i) => `${i + 1} ${isCall ? id : oneLine(label)}`);
  return [
    `[needs you ${nth} of ${of}] ${isCall ? oneLine(request.text).split(" ", 1)[0] : oneLine(kind === "approval" ? request.header : request.text)}`,
    ...requestBody(request, isCall),
    ...(isCall && folder !== undefined
      ? [
          `  folder: ${escapeInvisible(shortenHome(view?.type === "command" ? view.cwd : folder, home))}${hash === undefined ? "" : `   hash: ${shortHash(hash)}`}`,
        ]
      : []),
    ...(isCall ? [`  asked by: ${askedBy(verdicts?.find(({ effect }) => effect === "ask")?.rule ?? rule ?? null)}`] : []),
    ...(isCall
      ? shownVerdicts(verdicts ?? []).map(
          ({ effect, action, resource }) => `  ${effect}: ${escapeInvisible(action)} ${escapeInvisible(resource)}`,
        )
      : []),
    ...(isCall ? [`  ${numbered.join(", ")}`] : numbered.map((line) => `  ${line}`)),
  ];
}

function askedBy(rule: Request["rule"]): string {
  if (!rule) return "no rule matches";
  const { action, resource, layer, source } = rule;
  return `${action} "${escapeInvisible(resourceText(resource))}" (${layer}, ${oneLine(source)})`;
}

function requestBody(request: Request, isCall: boolean): string[] {
  if (isCall) return indentedLines(exactText(request));
  if (request.kind === "approval") return [`  ${oneLine(request.text)}`];
  return request.view?.type === "text" ? indentedLines(request.view.text) : [];
}

function exactText({ view, text }: Request): string {
  if (view?.type === "command") return view.command;
  if (view?.type === "text") return view.text;
  if (view?.type !== "diff") return text;
  const { path, lineEnds, hunks } = view;
  return [path, ...(lineEnds ? [lineEndsText(lineEnds)] : []), ...hunks.flatMap(({ lines }) => lines)].join("\n");
}

const indentedLines = (text: string): string[] =>
  escapeInvisible(text)
    .split("\n")
    .map((line) => `  ${line}`);
