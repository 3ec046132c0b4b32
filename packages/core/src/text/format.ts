import type { DiffView } from "../protocol/tool-view.ts";

/** A duration in milliseconds: `0.4 s`, `11.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** How a command would run: with a terminal, in the background, or until its time limit. */
export function commandRunText({ timeLimitMs, terminal }: { timeLimitMs?: number | undefined; terminal?: boolean | undefined }): string {
  if (terminal) return "with a terminal";
  if (timeLimitMs === undefined) return "in the background";
  const duration = formatDuration(timeLimitMs)
    .replace(/\.0 s$/, " s")
    .replace(/ 0 s$/, "");
  return `time limit ${duration}`;
}

/** An age in milliseconds, in one unit: `52 s`, `6 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The local time of day: `10:31`. */
export function formatTime(at: number): string {
  const time = new Date(at); // oxlint-disable-line no-restricted-globals -- formats a time and reads no clock
  return `${String(time.getHours()).padStart(2, "0")}:${String(time.getMinutes()).padStart(2, "0")}`;
}

export const formatMoney = (dollars: number): string => `$${dollars.toFixed(2)}`;

/** US dollars: `at least` where the price of a part is unknown, `about` where a part is an estimate. */
export function formatCost({ cost, unpriced, estimated }: Cost): string {
  const prefix = estimated && cost > 0 ? "about " : "";
  return `${unpriced ? "at least " : prefix}${formatMoney(cost)}`;
}

type Cost = { cost: number; unpriced?: boolean | undefined; estimated?: number | undefined };

/** A number with thousands separators: `12,345`. */
export const formatNumber = (n: number): string => (n < 1_000 ? String(n) : n.toLocaleString("en"));

/** A count with its noun: `1 line`, `3 lines`, `2 entries`. */
export const formatCount = (n: number, noun: string, many = `${noun}s`): string => `${formatNumber(n)} ${n === 1 ? noun : many}`;

/** A change of line ends: `line ends change from CRLF to LF`. */
export const lineEndsText = ({ from, to }: NonNullable<DiffView["lineEnds"]>): string =>
  from === undefined ? `line ends are ${to}` : `line ends change from ${from} to ${to === "mixed" ? "both CRLF and LF" : to}`;

/** A number of tokens: `812`, `47k`, `1.2M`. */
export function formatTokens(n: number): string {
  if (n < 1000) return String(n);
  return n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** A path with the home directory as `~`. */
export const shortenHome = (path: string, home: string): string =>
  home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;

/** The first eight digits of a hash in two groups, for a comparison by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;

/** `a`, `a and b`, `a, b and c`. */
export const joinWithAnd = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export const joinWithOr = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** Shown instead of an answer of the model that is entirely empty. */
export const EMPTY_ANSWER_TEXT = "The model returned an empty answer.";

/** The plan of a delegated task: `high priority, about 20 min`. Empty for a user's session, and for a task of medium priority without an estimate. */
export function planText(task: { priority: string; estimatedMinutes?: number | undefined } | null | undefined): string {
  if (!task) return "";
  const priority = task.priority === "medium" ? [] : [`${task.priority} priority`];
  const estimate = task.estimatedMinutes === undefined ? [] : [`about ${minutes(task.estimatedMinutes)}`];
  return [...priority, ...estimate].join(", ");
}

const minutes = (count: number): string => (count < 60 ? `${Math.ceil(count)} min` : `${Number((count / 60).toFixed(1))} h`);

/** The text with a full stop, unless it is empty or already ends as a sentence does. */
export const asSentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?…:][)"'”’`*]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

/** The short name of a model. */
export function shortModelName(id: string | undefined | null): string {
  if (id === undefined || id === null || id === "") return "no model";
  if (id.startsWith("demo/")) return id;
  const name = id.slice(id.lastIndexOf("/") + 1);
  return id.startsWith("scripted/") ? `scripted ${name.replace(/\.json$/, "")}` : name;
}
