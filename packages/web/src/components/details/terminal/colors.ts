/** The sixteen colors of terminals, readable on a light background. On a dark one the usual colors are. */
const ON_LIGHT = {
  black: "#24292f",
  red: "#b3181f",
  green: "#116329",
  yellow: "#7a5200",
  blue: "#0550ae",
  magenta: "#8a2bb8",
  cyan: "#0b6a75",
  white: "#57606a",
  brightBlack: "#57606a",
  brightRed: "#a40e26",
  brightGreen: "#0d6b2c",
  brightYellow: "#6b4700",
  brightBlue: "#0a52b0",
  brightMagenta: "#7d28a8",
  brightCyan: "#0a6470",
  brightWhite: "#3d444d",
};

/** The colors of a terminal in this place of the page. */
export function terminalTheme({ backgroundColor, color }: Pick<CSSStyleDeclaration, "backgroundColor" | "color">) {
  const channels = (backgroundColor.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const isLight = channels.reduce((sum, each) => sum + each, 0) > 1.5 * 255;
  return {
    ...(isLight ? ON_LIGHT : {}),
    background: backgroundColor,
    foreground: color,
    cursor: color,
    cursorAccent: backgroundColor,
    selectionBackground: isLight ? "#b6d4fe" : "#30507a",
  };
}

/** Replaces free colors by the nearest of the 256 of terminals, because a free color needs a style attribute. */
export const toNearestPaletteColors = (drawn: string): string =>
  drawn.replace(/([34])8;2;(\d+);(\d+);(\d+)/g, (_, layer: string, ...channels: string[]) => {
    const [red = 0, green = 0, blue = 0] = channels.slice(0, 3).map((each) => Math.round((Number(each) / 255) * 5));
    return `${layer}8;5;${16 + 36 * red + 6 * green + blue}`;
  });
