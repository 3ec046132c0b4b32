/**
 * Whether a text seems to have a formula: between double dollar signs, or between single ones without spaces inside and without a
 * digit behind, so that prices are no formulas.
 */
export const hasMath = (text: string): boolean => /\$\$[\s\S]+?\$\$|(?<![\w$\\])\$[^\s$`](?:[^$\n`]*[^\s$`\\])?\$(?![\d\w$])/.test(text);

/** The text with formulas between `\\(` and `\\)` or `\\[` and `\\]` written with dollar signs. */
export const withDollars = (text: string): string =>
  text
    .replace(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `$$${formula}$$`)
    .replace(/\\\((.+?)\\\)/g, (_, formula: string) => `$${formula.trim()}$`);
