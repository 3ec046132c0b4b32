import { ModeColor, type ModeSlug } from "../protocol/mode.ts";

/** The color of a mode without a color of its own. The same slug always has the same color. */
export function defaultColor(slug: ModeSlug): ModeColor {
  let sum = 0;
  for (const character of slug) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return ModeColor.options[sum % ModeColor.options.length] ?? "slate";
}
