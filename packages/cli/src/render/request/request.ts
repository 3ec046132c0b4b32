import { answerDeadline, isAccessRequest, takesNote } from "@baton/core/protocol/request-traits";
import type { RequestChoice, Request } from "@baton/core/protocol/request";
import type { AccessVerdict, SourcedRule, Rule } from "@baton/core/protocol/rule";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { diffCounts, diffLines } from "../diff.ts";
import { proseWidth } from "../transcript/entry.ts";
import { hangingIndent, isNarrow, contentWidth, justify, displayWidth, type TerminalStyle } from "../layout.ts";
import { markdown } from "../markdown.ts";
import { viewLines } from "../tool-view.ts";
import { isFallback, ruleText } from "@baton/core/text/rule-text";
import { stripMarkdown } from "@baton/core/text/strip-markdown";
import { requestReason, shownVerdicts } from "@baton/core/text/request/request-reason";
import { formatAge, formatCount, formatTime, shortHash, shortenHome, commandRunText } from "@baton/core/text/format";

/** The position of a request: its mode, its number in the session, and the title if it belongs to another session. */
export type RequestPosition = { mode: string; nth: number; of: number; title?: string | undefined };

/** The text that the user has typed for an answer so far. */
type Draft = { rule?: Rule | undefined; note?: string | undefined };

/** Which keys answer the request: all, only digits (in line mode), or none. */
type Keys = "all" | "digits" | "none";

/**
 * A request with its exact action, its context, the rules that ask, and the choices. Nothing is shortened or preselected.
 */
export function requestLines(
  request: Request,
  position: RequestPosition,
  style: TerminalStyle,
  draft: Draft = {},
  keys: Keys = "all",
): string[] {
  const isAccess = isAccessRequest(request);
  return [
    ...(isAccess ? approvalLines(request, position, style) : questionLines(request, position, style)),
    ...(keys === "none" ? [] : ["", ...choiceLines(request.choices, style, !isAccess)]),
    ...(isAccess && keys === "all" ? keyLines(request, style, draft) : []),
  ];
}

function approvalLines(request: Request, position: RequestPosition, style: TerminalStyle): string[] {
  const { view, subject, notes = [] } = request;
  if ("network" in subject)
    return [
      ...titleLines(request.header, position, request, style),
      "",
      ...hangingIndent(sanitize(request.text), "  ", proseWidth(style)),
      ...verdictLines(request, style),
    ];
  return [
    ...titleLines(request.header, position, request, style),
    "",
    ...exactLines(request, style),
    ...(notes.length > 0 ? [""] : []),
    ...notes.flatMap((note) => hangingIndent(style.ansi.attention(escapeInvisible(oneLine(note))), "  ", contentWidth(style))),
    ...(view?.type === "diff" ? [] : [""]),
    ...(view?.type === "diff" ? [] : [factsLine(request, style)].flat()),
    ...verdictLines(request, style),
  ];
}

/** The exact action, never shortened. Invisible characters are shown by their code. */
function exactLines({ view, text }: Request, style: TerminalStyle): string[] {
  const { ansi } = style;
  const room = contentWidth(style);
  const bold = (line: string) => hangingIndent(ansi.bold(line), "    ", room, { trim: false });
  if (!view) return escapeInvisible(text).split("\n").flatMap(bold);
  switch (view.type) {
    case "command":
      return escapeInvisible(view.command).split("\n").flatMap(bold);
    case "diff":
      return [
        ...hangingIndent(`${ansi.bold(escapeInvisible(view.path))}  ${diffCounts(view, style)}`, "  ", room),
        ...diffLines(view, style, { indent: 2 }),
      ];
    case "text":
      return view.format === "markdown"
        ? markdown(escapeInvisible(view.text), style, proseWidth(style), contentWidth(style) - 2).map((line) =>
            line === "" ? "" : `  ${line}`,
          )
        : escapeInvisible(view.text).split("\n").flatMap(bold);
    case "link":
      return bold(escapeInvisible(view.url));
    case "files":
      return view.files.flatMap(({ path }) => bold(escapeInvisible(path)));
    case "terminal":
    case "list":
      return viewLines(view, style, "all", 4);
  }
}

function factsLine({ folder, hash, view }: Request, style: TerminalStyle): string[] {
  const facts = [
    ...(folder === undefined ? [] : [`in ${escapeInvisible(shortenHome(view?.type === "command" ? view.cwd : folder, style.home))}`]),
    ...(hash === undefined ? [] : [`sha256 ${shortHash(hash)}`]),
    ...(view?.type === "command" ? [commandRunText(view)] : []),
  ];
  return facts.length === 0 ? [] : hangingIndent(facts.join(" · "), "  ", contentWidth(style));
}

/** One line for each access: the action, the verdict, the rule and its source. */
function verdictLines(request: Request, style: TerminalStyle): string[] {
  const { ansi } = style;
  const { verdicts = [], view } = request;
  if (view?.type === "diff" || verdicts.length === 0)
    return hangingIndent(stripMarkdown(requestReason(request)), "  ", contentWidth(style));
  return shownVerdicts(verdicts).flatMap((verdict) => {
    const mark =
      verdict.effect === "ask" ? ansi.attention("◆ ask") : `${ansi.dim(verdict.effect === "allow" ? "✓" : "–")} ${verdict.effect}`;
    const start = `  ${mark}${" ".repeat(isNarrow(style) ? 1 : Math.max(1, 9 - displayWidth(mark)))}`;
    const why = verdictReason(verdict, style);
    const isWhole = view?.type === "command" && verdict.resource === view.command && /\n/.test(view.command);
    const what = `${ansi.bold(escapeInvisible(verdict.action))} ${isWhole ? "all of the above" : escapeInvisible(verdict.resource)}`;
    return [
      ...hangingIndent(what, start, contentWidth(style)),
      ...hangingIndent(why, " ".repeat(displayWidth(start)), contentWidth(style)),
    ];
  });
}

function verdictReason({ rule }: AccessVerdict, style: TerminalStyle): string {
  if (!rule) return "no rule matches";
  return rule.layer === "workspace" || rule.layer === "session" ? `${rule.layer} ${rule.source}` : namedRule(rule, style);
}

/** The fallback rule has no name of its own. */
const namedRule = (rule: SourcedRule, style: TerminalStyle): string =>
  isFallback(rule)
    ? `the rule for everything else · ${rule.layer}, ${style.ansi.link(oneLine(rule.source))}`
    : `rule ${ruleWithSource(rule, style)}`;

/** A rule with its source: `git push * · user, config.jsonc:14`. */
export const ruleWithSource = (rule: SourcedRule, { ansi }: Pick<TerminalStyle, "ansi">): string =>
  `${ruleText(rule)} · ${rule.layer}, ${ansi.link(oneLine(rule.source))}`;

function questionLines(request: Request, position: RequestPosition, style: TerminalStyle): string[] {
  const { header, text, view, kind } = request;
  const isQuestion = kind !== "approval";
  const title = isQuestion ? stripMarkdown(text) : header;
  const asksTwice = header === text || header.endsWith("?");
  const headerBelow = header !== "" && !asksTwice && view ? header : "";
  const below = isQuestion ? headerBelow : text;
  return [
    ...titleLines(title, position, request, style, true),
    ...(below === "" ? [] : ["", ...markdown(below, style, proseWidth(style)).map((line) => (line === "" ? "" : `  ${line}`))]),
    ...(view ? ["", ...exactLines(request, style)] : []),
  ];
}

/** The title, with mode, position and age at the right or below. */
function titleLines(
  title: string,
  { mode, nth, of, title: session }: RequestPosition,
  request: Request,
  style: TerminalStyle,
  below = false,
): string[] {
  const { ansi } = style;
  const deadline = answerDeadline(request);
  const position = of > 1 ? ` · ${nth} of ${of}` : "";
  const where = session === undefined ? "" : ` · in ${oneLine(session)}`;
  const meta = `${ansi.mode(mode)} ${ansi.dim(`${where}${position} · ${deadline === undefined ? formatAge(style.now - request.openedAt) : `answer by ${clock(deadline)}`}`.trimStart())}`;
  const lines = sanitize(title)
    .trim()
    .split("\n")
    .flatMap((line, i) => hangingIndent(ansi.attention(line), i === 0 ? `${ansi.attention("◆")} ` : "  ", contentWidth(style)));
  const one =
    lines.length === 1 && !below && !isNarrow(style) && session === undefined
      ? justify(lines[0] ?? "", meta, contentWidth(style))
      : undefined;
  return one === undefined ? [...lines, ...hangingIndent(meta, "  ", contentWidth(style))] : [one];
}

/** The time of day with its seconds. What is printed stays as it is, so the time that is left would soon be wrong. */
const clock = (at: number): string => `${formatTime(at)}:${String(Math.floor(at / 1_000) % 60).padStart(2, "0")}`;

/** The choices with their digits, on one line if they fit. */
function choiceLines(choices: readonly RequestChoice[], style: TerminalStyle, stacked = false): string[] {
  const { ansi } = style;
  const key = (i: number) => (ansi.level === "plain" || ansi.level === "mono" ? `[${i + 1}]` : ansi.bold(String(i + 1)));
  const row = choices.map(({ label }, i) => `${key(i)} ${sanitize(label)}`).join("   ");
  if (
    !stacked &&
    choices.every(({ description }) => !description) &&
    !row.includes("\n") &&
    displayWidth(row) + 2 <= contentWidth(style) &&
    !isNarrow(style)
  )
    return [`  ${row}`];
  return choices.flatMap(({ label, description }, i) => [
    ...hangingIndent(sanitize(label), `  ${key(i)} `, contentWidth(style)),
    ...(description ? hangingIndent(ansi.dim(sanitize(description)), " ".repeat(3 + displayWidth(key(i))), contentWidth(style)) : []),
  ]);
}

/** The letter keys of an approval, and the rule that it would remember. */
function keyLines(request: Request, style: TerminalStyle, { rule, note }: Draft): string[] {
  const { remember, choices } = request;
  const { ansi } = style;
  const key = (letter: string) => (ansi.level === "plain" || ansi.level === "mono" ? `[${letter}]` : ansi.bold(letter));
  const rememberedRule = rule ?? remember;
  const digits = choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : []));
  const noted = note === undefined ? [] : hangingIndent(ansi.dim(`note: “${escapeInvisible(note)}”`), "  ", contentWidth(style));
  const noteKey = (label: string) => (takesNote(request) ? `${key("n")} ${label}   ` : "");
  const later = `${key(style.keys.label("cancel") ?? "Esc")} later`;
  const ruleLines =
    !rememberedRule || digits.length === 0
      ? []
      : [
          `  ${key("e")} edit the rule that ${digits.join(" and ")} remember${digits.length === 1 ? "s" : ""}:`,
          ...bounded(hangingIndent(ruleText(rememberedRule), "      ", contentWidth(style)), "      ", style),
        ];
  return [
    ...ruleLines,
    ...hangingIndent(
      isNarrow(style) ? `${noteKey("note")}${key("v")} all   ${later}` : `${noteKey("note for the agent")}${key("v")} full text   ${later}`,
      "  ",
      contentWidth(style),
    ),
    ...noted,
  ];
}

/** The choices must stay in view, so long rules are cut. The action above is complete. */
const MAX_RULE_LINES = 3;

function bounded(lines: readonly string[], indent: string, { ansi }: Pick<TerminalStyle, "ansi">): readonly string[] {
  if (lines.length <= MAX_RULE_LINES + 1) return lines;
  const left = formatCount(lines.length - MAX_RULE_LINES, "more line");
  return [...lines.slice(0, MAX_RULE_LINES), `${indent}${ansi.dim(`… ${left}; e shows the whole rule`)}`];
}

/** The full request: the whole input and the whole hash. */
export function fullText({ tool, input, hash, folder, id }: Request, style: TerminalStyle): string[] {
  return [
    ...(tool === undefined ? [] : hangingIndent(`tool ${escapeInvisible(tool)}`, "  ", contentWidth(style))),
    ...inputLines(input, style),
    ...(folder === undefined ? [] : hangingIndent(`folder ${escapeInvisible(folder)}`, "  ", contentWidth(style))),
    ...(hash === undefined ? [] : hangingIndent(`sha256 ${hash}`, "  ", contentWidth(style))),
    ...hangingIndent(`request ${id}`, "  ", contentWidth(style)),
  ];
}

/** The input by field. Multi-line text stays as it is; other values are JSON. */
function inputLines(input: unknown, style: TerminalStyle): string[] {
  const text = (value: string) =>
    escapeInvisible(value)
      .split("\n")
      .flatMap((line) => hangingIndent(line, "    ", contentWidth(style), { trim: false }));
  if (typeof input !== "object" || input === null || Array.isArray(input)) return text(JSON.stringify(input, undefined, 2) ?? "");
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && value.includes("\n")
      ? [`  ${escapeInvisible(name)}:`, ...text(value)]
      : hangingIndent(`${escapeInvisible(name)}: ${escapeInvisible(JSON.stringify(value) ?? "")}`, "  ", contentWidth(style), {
          trim: false,
        }),
  );
}
