import type { Request } from "@baton/core/protocol/request";
import { truncate, isNarrow, contentWidth, justify, keyHint, displayWidth, type TerminalStyle } from "./layout.ts";
import { coloredLine } from "./sanitize-colored-line.ts";
import { openRequestsBadge } from "./lists/inbox.ts";
import { formatCost, formatTokens, shortModelName } from "@baton/core/text/format";

/** The contents of the status line: the mode at all times, and what the keys do now. */
type StatusLine = {
  mode: string;
  /** The line of the user's own command, which replaces the usual facts. */
  custom?: string | undefined;
  /** The mode of vi, if it is not insert mode. */
  vim?: string | undefined;
  model: string | undefined;
  /** The tools whose environment commands get. */
  environment?: readonly string[] | undefined;
  /** Whether edits are accepted without a question. */
  acceptsEdits?: boolean | undefined;
  tokens: number;
  cost: number;
  unpriced?: true | undefined;
  estimated?: number | undefined;
  open: number;
  /** The number of commands that run in the background. */
  background?: number | undefined;
  work?: { step: number; since: number } | undefined;
  /** Whether the conversation is being compacted. */
  summing?: boolean | undefined;
  /** When Baton retries a failed request to the model, in epoch milliseconds. */
  retryAt?: number | undefined;
  /** The request that has the focus, and its position. */
  request?: { request: Request; nth: number; of: number; ready: boolean } | undefined;
  /** The field that the user is typing, if it is not the prompt. */
  typing?: "note" | "rule" | undefined;
  hasDraft: boolean;
  /** Whether prompts are held because the turn was stopped. */
  held: boolean;
  lost?: string | undefined;
  hint?: string | undefined;
};

export function statusLine(status: StatusLine, style: TerminalStyle): string {
  const { ansi } = style;
  const { request, typing, lost, hint, open } = status;
  const right = request ? ansi.attention(`◆ ${request.nth} of ${request.of}`) : openRequestsBadge(open, style);
  if (lost !== undefined) return fitted(`${ansi.bold("not connected")}`, [lost], right, style);
  if (hint !== undefined) return fitted(ansi.mode(status.mode), [hint], right, style);
  if (typing)
    return fitted(
      ansi.attention(typing === "note" ? "◆ note for the agent" : "◆ rule to remember"),
      [keyHint(style, "send", "saves it"), keyHint(style, "cancel", "discards it")],
      right,
      style,
    );
  if (request && status.hasDraft && !acceptsText(request.request))
    return fitted(ansi.mode(status.mode), [keyHint(style, "send", "sends the text"), "digits answer when it is empty"], right, style);
  if (request && !request.ready) return fitted(ansi.attention("◆ needs you"), [], right, style);
  if (request) return fitted(ansi.attention("◆ your answer"), requestKeys(request.request, request.of, style), right, style, " ");
  const { custom, retryAt, summing, held } = status;
  const isUsual = retryAt === undefined && summing !== true && !held;
  if (custom !== undefined && isUsual) return customLine(custom, ansi.mode(status.mode), right, style);
  return fitted(ansi.mode(status.mode), sessionFacts(status, style), right, style);
}

/** The mode stays visible at all times, also beside the user's own line. */
function customLine(text: string, mode: string, right: string, style: TerminalStyle): string {
  const columns = contentWidth(style);
  const room = columns - displayWidth(mode) - 3 - (right === "" ? 0 : displayWidth(right) + 2);
  const withColors = style.ansi.level === "16" || style.ansi.level === "256";
  const line = `${mode} ${style.ansi.dim("·")} ${coloredLine(text, Math.max(4, room), { withColors })}`;
  return justify(line, right, columns) ?? line;
}

/** Whether the user can answer in their own words. */
export const acceptsText = ({ freeText, kind }: Pick<Request, "freeText" | "kind">): boolean => freeText && kind !== "approval";

function requestKeys(request: Request, of: number, style: TerminalStyle): string[] {
  const later = keyHint(style, "cancel", "later");
  const digits = request.choices.map((_, i) => i + 1).join(" ");
  const own = acceptsText(request)
    ? [`${digits}${digits ? ", or " : ""}type it and press ${style.keys.label("send") ?? ""}`, later]
    : [digits, later];
  return of === 1 ? own : [...own.slice(0, 1), keyHint(style, "nextRequest", "next request")].filter((part) => part !== "");
}

function sessionFacts(
  {
    vim,
    retryAt,
    summing,
    model,
    environment = [],
    acceptsEdits,
    tokens: usedTokens,
    cost,
    unpriced,
    estimated,
    background = 0,
    work,
    open,
    hasDraft,
    held,
  }: StatusLine,
  style: TerminalStyle,
): string[] {
  const seconds = work ? Math.max(0, Math.floor((style.now - work.since) / 1000)) : 0;
  const elapsed = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return [
    ...(vim === undefined ? [] : [vim]),
    ...(summing ? ["compacting the conversation"] : []),
    ...(retryAt === undefined ? [] : [`retries in ${Math.max(0, Math.ceil((retryAt - style.now) / 1_000))} s, /retry retries now`]),
    ...(acceptsEdits ? [acceptsEditsText(style)] : []),
    shortModelName(model),
    environment.join(", "),
    ...(usedTokens > 0 ? [`${formatTokens(usedTokens)} tokens`] : []),
    formatCost({ cost, unpriced, estimated }),
    ...(background > 0 ? [`${background} in background`] : []),
    ...(work
      ? [
          `step ${work.step}, ${elapsed}`,
          keyHint(style, "cancel", "stops"),
          ...(hasDraft ? [keyHint(style, "send", "queues")] : []),
          keyHint(style, "steer", "steers"),
        ]
      : []),
    ...(held ? ["/resume sends held prompts, /discard drops them"] : []),
    ...(open > 0 && !work ? [keyHint(style, "nextRequest", "answers")] : []),
  ].filter((part) => part !== "");
}

function acceptsEditsText({ keys }: TerminalStyle): string {
  const key = keys.label("acceptEdits");
  return key === undefined ? "accepts edits" : `accepts edits (${key})`;
}

/** As many parts as fit, from the first on. */
function fitted(left: string, parts: readonly string[], right: string, style: TerminalStyle, join = " · "): string {
  const room = contentWidth(style) - (right === "" ? 0 : displayWidth(right) + 2);
  const fitting: string[] = [];
  const joinParts = (more: readonly string[]) => more.join(" · ");
  for (const part of parts)
    if (
      displayWidth(left) + join.length + displayWidth(joinParts([...fitting, part])) <= room ||
      (fitting.length === 0 && !isNarrow(style))
    )
      fitting.push(part);
  const text =
    fitting.length === 0
      ? left
      : `${left}${style.ansi.dim(truncate(`${join}${joinParts(fitting)}`, Math.max(4, room - displayWidth(left))))}`;
  return justify(text, right, contentWidth(style)) ?? text;
}
