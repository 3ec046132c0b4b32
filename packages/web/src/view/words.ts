/** How long something took: `0.4 s`, `11.4 s`, `2 min 5 s`. */
export function took(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** How long ago, in one unit: `52 s`, `6 min`, `3 h`, `2 d`. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export const money = (dollars: number): string => `$${dollars.toFixed(2)}`;

/** The time of day on the person's clock: `10:31`. */
export function clock(at: number): string {
  const time = new Date(at);
  return `${String(time.getHours()).padStart(2, "0")}:${String(time.getMinutes()).padStart(2, "0")}`;
}

/** A count with its noun: `1 line`, `3 lines`. */
export const count = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** Tokens in short: `812`, `47k`. */
export const tokens = (n: number): string =>
  n < 1000 ? String(n) : n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`;

/** A folder as its owner writes it. */
export const tilde = (path: string, home: string): string =>
  home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;

/** The first eight digits of a hash, in two groups, enough to compare by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;

/** `a`, `a and b`, `a, b and c`. */
export const sentence = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** A verb as the first word of a line. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `1 read`, `3 searches`. */
export const times = (n: number, verb: string): string => `${n} ${verb}${n === 1 ? "" : /(s|x|ch|sh)$/.test(verb) ? "es" : "s"}`;

/** The last part of a path. */
export const baseOf = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? path;

/** The part of a model's name that people say. */
export function modelName(id: string | undefined | null): string {
  if (id === undefined || id === null || id === "") return "no model";
  if (id.startsWith("demo/")) return id;
  const name = id.slice(id.lastIndexOf("/") + 1);
  return id.startsWith("scripted/") ? `scripted ${name.replace(/\.json$/, "")}` : name;
}
