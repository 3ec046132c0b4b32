const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 150;

/**
 * Converts an HTML page to text. Links keep their address; scripts, forms and images are dropped. Limits keep a page from blocking the
 * daemon. The converter is loaded on first use.
 */
export async function htmlToText(html: string, url: string): Promise<string> {
  const { convert } = await import("html-to-text");
  const heading = (level: number) => ({
    selector: `h${level}`,
    format: "block" as const,
    options: { leadingLineBreaks: 2, trailingLineBreaks: 2 },
  });
  const skipped = ["img", "svg", "script", "style", "noscript", "iframe", "template", "head", "title", "form", "button"];
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: MAX_CHARACTERS, maxDepth: MAX_DEPTH, maxBaseElements: 4, maxChildNodes: 20_000 },
    selectors: [
      ...skipped.map((selector) => ({ selector, format: "skip" as const })),
      ...[1, 2, 3, 4, 5, 6].map(heading),
      { selector: "a", options: { baseUrl: url, hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: ["(", ")"] } },
    ],
  }).trim();
}
