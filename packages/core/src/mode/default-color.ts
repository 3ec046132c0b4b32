import { Hue, type ModeSlug } from "../protocol/mode.ts";

/** The colour of a mode that has none of its own: always the same for the same slug. */
export function defaultColor(slug: ModeSlug): Hue {
  let sum = 0;
  for (const letter of slug) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return Hue.options[sum % Hue.options.length] ?? "slate";
}
