/** How much a terminal can show: nothing but text, bold alone (`NO_COLOR`), the person's 16 colours, or 256. */
export type Level = "plain" | "mono" | "16" | "256";

/** Colours by meaning. Needs-you is bold yellow and nothing else is; failure is red. */
export type AnsiStyle = {
  level: Level;
  bold: (text: string) => string;
  dim: (text: string) => string;
  attention: (text: string) => string;
  failure: (text: string) => string;
  added: (text: string) => string;
  removed: (text: string) => string;
  link: (text: string) => string;
  /** A mode's name in its hue; in brackets where there are no colours. */
  mode: (slug: string) => string;
};

/** The hues of modes, as the daemon tells them. */
export type ModeColors = ReadonlyMap<string, string>;

export function ansiStyle(level: Level, hues: ModeColors = new Map()): AnsiStyle {
  const bold = level === "plain" ? same : sgr("1", "22");
  if (level === "plain" || level === "mono") {
    return { level, bold, dim: same, attention: bold, failure: bold, added: same, removed: same, link: same, mode: (slug) => `[${slug}]` };
  }
  return {
    level,
    bold,
    dim: sgr("2", "22"),
    attention: sgr("1;33", "22;39"),
    failure: sgr("31", "39"),
    added: sgr("32", "39"),
    removed: sgr("31", "39"),
    link: sgr("4", "24"),
    mode: (slug) => sgr(`1;${colourOf(hueOf(slug, hues), level)}`, "22;39")(slug),
  };
}

/** What this output can show. `NO_COLOR` wins over everything but an output that is no terminal. */
export function colorLevel(env: Record<string, string | undefined>, isTerminal: boolean): Level {
  if (!isTerminal || env["TERM"] === "dumb") return "plain";
  if (env["NO_COLOR"]) return "mono";
  const rich = /256|truecolor|24bit|kitty|alacritty|ghostty|wezterm/.test(`${env["TERM"]} ${env["COLORTERM"]}`);
  return rich ? "256" : "16";
}

const same = (text: string): string => text;

const sgr =
  (on: string, off: string) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;

const HUES: Record<string, { rich: number; basic: number }> = {
  indigo: { rich: 105, basic: 94 },
  blue: { rich: 75, basic: 34 },
  cyan: { rich: 80, basic: 36 },
  pink: { rich: 211, basic: 35 },
  violet: { rich: 177, basic: 95 },
  olive: { rich: 143, basic: 37 },
  green: { rich: 114, basic: 32 },
  teal: { rich: 79, basic: 96 },
  slate: { rich: 146, basic: 90 },
};

function colourOf(hue: string, level: "16" | "256"): string {
  const { rich, basic } = HUES[hue] ?? { rich: 75, basic: 34 };
  return level === "256" ? `38;5;${rich}` : String(basic);
}

/** A mode that the daemon did not tell of has its hue by its name, so that it keeps it. */
function hueOf(slug: string, hues: ModeColors): string {
  const names = Object.keys(HUES);
  const sum = Array.from(slug).reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return hues.get(slug) ?? names[sum % names.length] ?? "blue";
}
