/** The local day: `2026-11-22`. */
export const formatDay = (at: number): string => new Date(at).toLocaleDateString("en-CA");

/** Makes the first character upper case. */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `1 read`, `3 searches`. */
export const countTimes = (n: number, verb: string): string => `${n} ${verb}${n === 1 ? "" : /(s|x|ch|sh)$/.test(verb) ? "es" : "s"}`;

/** The last part of a path. */
export const baseName = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? path;
