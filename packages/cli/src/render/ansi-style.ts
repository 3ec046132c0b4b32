/** The styles that the terminal can show: plain text, bold only (`NO_COLOR`), 16 colors or 256 colors. */
export type Level = "plain" | "mono" | "16" | "256";

/** Styles by meaning. Only attention is bold orange, or yellow where there are 16 colors; failures are red. */
export type AnsiStyle = {
  level: Level;
  bold: (text: string) => string;
  dim: (text: string) => string;
  attention: (text: string) => string;
  failure: (text: string) => string;
  added: (text: string) => string;
  removed: (text: string) => string;
  link: (text: string) => string;
  /** Text that the user has selected. */
  selected: (text: string) => string;
  /** A mode's name in its color, or in brackets without colors. */
  mode: (slug: string) => string;
};

/** The color of each mode, from the daemon. */
export type ModeColors = ReadonlyMap<string, string>;

export function ansiStyle(level: Level, colors: ModeColors = new Map()): AnsiStyle {
  const selected = level === "plain" ? same : sgr("7", "27");
  const bold = level === "plain" ? same : sgr("1", "22");
  if (level === "plain" || level === "mono") {
    return {
      level,
      bold,
      dim: same,
      attention: bold,
      failure: bold,
      added: same,
      removed: same,
      link: same,
      selected,
      mode: (slug) => `[${slug}]`,
    };
  }
  return {
    level,
    bold,
    dim: sgr("2", "22"),
    attention: sgr(level === "256" ? `1;38;5;${ATTENTION}` : "1;33", "22;39"),
    failure: sgr("31", "39"),
    added: sgr("32", "39"),
    removed: sgr("31", "39"),
    link: sgr("4", "24"),
    selected,
    mode: (slug) => sgr(`1;${colorCode(modeColor(slug, colors), level)}`, "22;39")(slug),
  };
}

/** The level of an output. `NO_COLOR` wins, unless the output is not a terminal. */
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

/** `rich`: a color that can be read on black and on white, because a terminal does not say which background it has. */
export const HUES: Readonly<Record<string, { rich: number; basic: number }>> = {
  indigo: { rich: 63, basic: 94 },
  blue: { rich: 27, basic: 34 },
  cyan: { rich: 31, basic: 36 },
  pink: { rich: 168, basic: 35 },
  violet: { rich: 134, basic: 95 },
  olive: { rich: 100, basic: 37 },
  green: { rich: 28, basic: 32 },
  teal: { rich: 30, basic: 96 },
  slate: { rich: 66, basic: 90 },
};

/** Orange, as on the page. */
export const ATTENTION = 166;

function colorCode(color: string, level: "16" | "256"): string {
  const { rich, basic } = HUES[color] ?? { rich: 27, basic: 34 };
  return level === "256" ? `38;5;${rich}` : String(basic);
}

/** A mode that the daemon does not list gets a color from its name, so that the color is stable. */
function modeColor(slug: string, colors: ModeColors): string {
  const names = Object.keys(HUES);
  const sum = Array.from(slug).reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return colors.get(slug) ?? names[sum % names.length] ?? "blue";
}
