import type { Choice, Request } from "@baton/core/protocol/request";
import type { AccessVerdict, PlacedRule, Rule } from "@baton/core/protocol/rule";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { diffCounts, diffLines } from "../diff.ts";
import { proseWidth } from "../transcript/entry.ts";
import { hang, isNarrow, contentWidth, spread, width, type TerminalStyle } from "../layout.ts";
import { markdown } from "../markdown.ts";
import { viewLines } from "../view.ts";
import { isFallback, ruleText } from "@baton/core/text/rule-text";
import { formatAge, formatCount, shortHash, shortenHome, formatTimeLimit } from "@baton/core/text/format";

/** The position of a request: its mode, its number in the session, and the title if it belongs to another session. */
export type RequestPosition = { mode: string; nth: number; of: number; title?: string | undefined };

/** What the user has typed for an answer so far. */
export type Draft = { rule?: Rule | undefined; note?: string | undefined };

/** Which keys answer the request: all, only digits (in line mode), or none. */
export type Keys = "all" | "digits" | "none";

/**
 * A request with its exact action, its context, the rules that ask, and the choices. Nothing is shortened or preselected.
 */
export function requestLines(
  request: Request,
  standing: RequestPosition,
  look: TerminalStyle,
  draft: Draft = {},
  keys: Keys = "all",
): string[] {
  const isCall = request.kind === "approval" && "call" in request.subject;
  return [
    ...(isCall ? approvalLines(request, standing, look) : questionLines(request, standing, look)),
    ...(keys === "none" ? [] : ["", ...choiceLines(request.choices, look, !isCall)]),
    ...(isCall && keys === "all" ? keyLines(request, look, draft) : []),
  ];
}

function approvalLines(request: Request, standing: RequestPosition, look: TerminalStyle): string[] {
  const { view } = request;
  return [
    ...titleLines(request.header, standing, request, look),
    "",
    ...exactLines(request, look),
    ...(view?.type === "diff" ? [] : [""]),
    ...(view?.type === "diff" ? [] : [factsLine(request, look)].flat()),
    ...verdictLines(request, look),
  ];
}

/** The exact action, never shortened. Invisible characters are shown by their code. */
function exactLines({ view, text }: Request, look: TerminalStyle): string[] {
  const { ink } = look;
  const room = contentWidth(look);
  const bold = (line: string) => hang(ink.bold(line), "    ", room, { trim: false });
  if (!view) return escapeInvisible(text).split("\n").flatMap(bold);
  switch (view.type) {
    case "command":
      return escapeInvisible(view.command).split("\n").flatMap(bold);
    case "diff":
      return [
        ...hang(`${ink.bold(escapeInvisible(view.path))}  ${diffCounts(view, look)}`, "  ", room),
        ...diffLines(view, look, { indent: 2 }),
      ];
    case "text":
      return view.format === "markdown"
        ? markdown(escapeInvisible(view.text), look, proseWidth(look), contentWidth(look) - 2).map((line) =>
            line === "" ? "" : `  ${line}`,
          )
        : escapeInvisible(view.text).split("\n").flatMap(bold);
    case "link":
      return bold(escapeInvisible(view.url));
    case "files":
      return view.files.flatMap(({ path }) => bold(escapeInvisible(path)));
    case "terminal":
    case "list":
      return viewLines(view, look, "all", 4);
  }
}

function factsLine({ folder, hash, view }: Request, look: TerminalStyle): string[] {
  const facts = [
    ...(folder === undefined ? [] : [`in ${escapeInvisible(shortenHome(view?.type === "command" ? view.cwd : folder, look.home))}`]),
    ...(hash === undefined ? [] : [`sha256 ${shortHash(hash)}`]),
    ...(view?.type === "command" ? [formatTimeLimit(view.timeLimitMs)] : []),
  ];
  return facts.length === 0 ? [] : hang(facts.join(" · "), "  ", contentWidth(look));
}

/** One line for each access: the action, the verdict, the rule and its source. */
function verdictLines({ verdicts = [], rule, view }: Request, look: TerminalStyle): string[] {
  const { ink } = look;
  if (view?.type === "diff" || verdicts.length === 0) {
    const asking = verdicts.find(({ effect }) => effect === "ask");
    const by = asking?.rule ?? rule ?? null;
    const what = asking === undefined ? "" : `${asking.action} is `;
    return hang(`${what}asked ${by ? `by ${namedRule(by, look)}` : "because no rule matches"}`, "  ", contentWidth(look));
  }
  return verdicts.flatMap((verdict) => {
    const mark = verdict.effect === "ask" ? ink.attention("◆ ask") : `${ink.dim(verdict.effect === "allow" ? "✓" : "–")} ${verdict.effect}`;
    const start = `  ${mark}${" ".repeat(isNarrow(look) ? 1 : Math.max(1, 9 - width(mark)))}`;
    const why = reasonOf(verdict, look);
    const isWhole = view?.type === "command" && verdict.resource === view.command && /\n/.test(view.command);
    const what = `${ink.bold(escapeInvisible(verdict.action))} ${isWhole ? "all of the above" : escapeInvisible(verdict.resource)}`;
    return [...hang(what, start, contentWidth(look)), ...hang(why, " ".repeat(width(start)), contentWidth(look))];
  });
}

function reasonOf({ rule }: AccessVerdict, look: TerminalStyle): string {
  if (!rule) return "no rule matches";
  return rule.layer === "workspace" || rule.layer === "session" ? `${rule.layer} ${rule.source}` : namedRule(rule, look);
}

/** The fallback rule has no name of its own. */
const namedRule = (rule: PlacedRule, look: TerminalStyle): string =>
  isFallback(rule) ? `the rule for everything else · ${rule.layer}, ${look.ink.link(oneLine(rule.source))}` : `rule ${placeOf(rule, look)}`;

/** A rule with its source: `git push * · user, config.jsonc:14`. */
export const placeOf = (rule: PlacedRule, { ink }: Pick<TerminalStyle, "ink">): string =>
  `${ruleText(rule)} · ${rule.layer}, ${ink.link(oneLine(rule.source))}`;

function questionLines(request: Request, standing: RequestPosition, look: TerminalStyle): string[] {
  const { header, text, view, kind } = request;
  const isQuestion = kind !== "approval";
  const title = isQuestion ? unmarked(text) : header;
  const asksTwice = header === text || header.endsWith("?");
  const below = isQuestion ? (header !== "" && !asksTwice && view ? header : "") : text;
  return [
    ...titleLines(title, standing, request, look, true),
    ...(below === "" ? [] : ["", ...markdown(below, look, proseWidth(look)).map((line) => (line === "" ? "" : `  ${line}`))]),
    ...(view ? ["", ...exactLines(request, look)] : []),
  ];
}

/** Removes emphasis from a title, because titles are bold anyway. */
const unmarked = (text: string): string => text.replace(/\*\*([^*]+)\*\*/g, "$1").replace(/`([^`]+)`/g, "$1");

/** The title, with mode, position and age at the right or below. */
function titleLines(
  title: string,
  { mode, nth, of, title: session }: RequestPosition,
  { openedAt }: Request,
  look: TerminalStyle,
  below = false,
): string[] {
  const { ink } = look;
  const position = of > 1 ? ` · ${nth} of ${of}` : "";
  const where = session === undefined ? "" : ` · in ${oneLine(session)}`;
  const meta = `${ink.mode(mode)} ${ink.dim(`${where}${position} · ${formatAge(look.now - openedAt)}`.trimStart())}`;
  const lines = sanitize(title)
    .trim()
    .split("\n")
    .flatMap((line, i) => hang(ink.attention(line), i === 0 ? `${ink.attention("◆")} ` : "  ", contentWidth(look)));
  const one =
    lines.length === 1 && !below && !isNarrow(look) && session === undefined ? spread(lines[0] ?? "", meta, contentWidth(look)) : undefined;
  return one === undefined ? [...lines, ...hang(meta, "  ", contentWidth(look))] : [one];
}

/** The choices with their digits, on one line if they fit. */
export function choiceLines(choices: readonly Choice[], look: TerminalStyle, stacked = false): string[] {
  const { ink } = look;
  const key = (i: number) => (ink.level === "plain" || ink.level === "mono" ? `[${i + 1}]` : ink.bold(String(i + 1)));
  const row = choices.map(({ label }, i) => `${key(i)} ${sanitize(label)}`).join("   ");
  if (
    !stacked &&
    choices.every(({ description }) => !description) &&
    !row.includes("\n") &&
    width(row) + 2 <= contentWidth(look) &&
    !isNarrow(look)
  )
    return [`  ${row}`];
  return choices.flatMap(({ label, description }, i) => [
    ...hang(sanitize(label), `  ${key(i)} `, contentWidth(look)),
    ...(description ? hang(ink.dim(sanitize(description)), " ".repeat(3 + width(key(i))), contentWidth(look)) : []),
  ]);
}

/** The letter keys of an approval, and the rule that it would remember. */
function keyLines({ remember, choices }: Request, look: TerminalStyle, { rule, note }: Draft): string[] {
  const { ink } = look;
  const key = (letter: string) => (ink.level === "plain" || ink.level === "mono" ? `[${letter}]` : ink.bold(letter));
  const kept = rule ?? remember;
  const digits = choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : []));
  const noted = note === undefined ? [] : hang(ink.dim(`note: “${escapeInvisible(note)}”`), "  ", contentWidth(look));
  const letters = `${key("n")} note for the agent   ${key("v")} full text   ${key("Esc")} later`;
  const ruleLines =
    !kept || digits.length === 0
      ? []
      : [
          `  ${key("e")} edit the rule that ${digits.join(" and ")} remember${digits.length === 1 ? "s" : ""}:`,
          ...bounded(hang(ruleText(kept), "      ", contentWidth(look)), "      ", look),
        ];
  return [
    ...ruleLines,
    ...hang(isNarrow(look) ? `${key("n")} note   ${key("v")} all   ${key("Esc")} later` : letters, "  ", contentWidth(look)),
    ...noted,
  ];
}

/** The choices must stay in view, so long rules are cut. The action above is complete. */
const MAX_RULE_LINES = 3;

function bounded(lines: readonly string[], indent: string, { ink }: Pick<TerminalStyle, "ink">): readonly string[] {
  if (lines.length <= MAX_RULE_LINES + 1) return lines;
  const left = formatCount(lines.length - MAX_RULE_LINES, "more line");
  return [...lines.slice(0, MAX_RULE_LINES), `${indent}${ink.dim(`… ${left}; e shows the whole rule`)}`];
}

/** The full request: the whole input and the whole hash. */
export function fullText({ tool, input, hash, folder, id }: Request, look: TerminalStyle): string[] {
  return [
    ...(tool === undefined ? [] : hang(`tool ${escapeInvisible(tool)}`, "  ", contentWidth(look))),
    ...inputLines(input, look),
    ...(folder === undefined ? [] : hang(`folder ${escapeInvisible(folder)}`, "  ", contentWidth(look))),
    ...(hash === undefined ? [] : hang(`sha256 ${hash}`, "  ", contentWidth(look))),
    ...hang(`request ${id}`, "  ", contentWidth(look)),
  ];
}

/** The input by field. Multi-line text stays as it is; other values are JSON. */
function inputLines(input: unknown, look: TerminalStyle): string[] {
  const text = (value: string) =>
    escapeInvisible(value)
      .split("\n")
      .flatMap((line) => hang(line, "    ", contentWidth(look), { trim: false }));
  if (typeof input !== "object" || input === null || Array.isArray(input)) return text(JSON.stringify(input, undefined, 2) ?? "");
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && value.includes("\n")
      ? [`  ${escapeInvisible(name)}:`, ...text(value)]
      : hang(`${escapeInvisible(name)}: ${escapeInvisible(JSON.stringify(value) ?? "")}`, "  ", contentWidth(look), { trim: false }),
  );
}
