import type { DiffView } from "../protocol/view.ts";

/** How long something took: `0.4 s`, `11.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** How long a command may run; in milliseconds, undefined for one that goes to the background. */
export const formatTimeLimit = (ms: number | undefined): string =>
  ms === undefined
    ? "in the background"
    : `time limit ${formatDuration(ms)
        .replace(/\.0 s$/, " s")
        .replace(/ 0 s$/, "")}`;

/** How long ago, in one unit: `52 s`, `6 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export const formatMoney = (dollars: number): string => `$${dollars.toFixed(2)}`;

/** US dollars as surely as they are known: a part without a price makes it at least so much, a part that nobody counted about so much. */
export const formatCost = ({
  cost,
  unpriced,
  estimated,
}: {
  cost: number;
  unpriced?: boolean | undefined;
  estimated?: number | undefined;
}): string => `${unpriced ? "at least " : estimated && cost > 0 ? "about " : ""}${formatMoney(cost)}`;

/** A number as people read it: `12,345`. */
export const countNoun = (n: number): string => (n < 1_000 ? String(n) : n.toLocaleString("en"));

/** A count with its noun: `1 line`, `3 lines`, `2 entries`. */
export const formatCount = (n: number, noun: string, many = `${noun}s`): string => `${countNoun(n)} ${n === 1 ? noun : many}`;

/** What becomes of the ends of lines: `line ends change from CRLF to LF`. */
export const lineEndsText = ({ from, to }: NonNullable<DiffView["lineEnds"]>): string =>
  from === undefined ? `line ends are ${to}` : `line ends change from ${from} to ${to === "mixed" ? "both CRLF and LF" : to}`;

/** Tokens in short: `812`, `47k`. */
export const formatTokens = (n: number): string =>
  n < 1000 ? String(n) : n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`;

/** A folder as its owner writes it. */
export const shortenHome = (path: string, home: string): string =>
  home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;

/** The first eight digits of a hash, in two groups, enough to compare by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;

/** A message with a full stop, so that a sentence may follow it. */
export const turnEndText = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** `a`, `a and b`, `a, b and c`. */
export const capitalize = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** What stands where a model's whole answer was empty. */
export const EMPTY_ANSWER_TEXT = "The model answered nothing.";

/** The plan of a delegated task, for a list: `high priority, about 20 min`. Empty for a session of a user and for a task of medium priority without an estimate. */
export function planText(task: { priority: string; estimatedMinutes?: number | undefined } | null | undefined): string {
  if (!task) return "";
  const priority = task.priority === "medium" ? [] : [`${task.priority} priority`];
  const estimate = task.estimatedMinutes === undefined ? [] : [`about ${minutes(task.estimatedMinutes)}`];
  return [...priority, ...estimate].join(", ");
}

const minutes = (count: number): string => (count < 60 ? `${Math.ceil(count)} min` : `${Number((count / 60).toFixed(1))} h`);

/** A text that ends as a sentence does, so that another one can follow it. */
export const asSentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?…:][)"'”’`*]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
};
