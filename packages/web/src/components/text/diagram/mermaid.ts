import mermaid from "mermaid";

/** Longer sources are refused, because the layout of a huge diagram takes minutes. In characters. */
const MAX_SOURCE = 20_000;
let drawn = 0;

/** A diagram as SVG. Throws if the source is not a valid diagram. The source cannot change these settings, and has no links or HTML. */
export async function mermaidSvg(source: string, dark: boolean): Promise<string> {
  if (source.length > MAX_SOURCE) throw new Error(`The diagram has more than ${MAX_SOURCE} characters.`);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: dark ? "dark" : "default",
    fontFamily: "system-ui, sans-serif",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    secure: ["secure", "securityLevel", "startOnLoad", "maxTextSize", "suppressErrorRendering", "maxEdges", "htmlLabels", "fontFamily"],
  });
  const { svg } = await mermaid.render(`diagram-${++drawn}`, source);
  return sized(svg);
}

/** An image needs a size of its own, and the library gives one in the view box only. */
function sized(svg: string): string {
  const [, width, height] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  if (width === undefined || height === undefined) return svg;
  return svg.replace(/^<svg([^>]*?) width="[^"]*"/, `<svg$1 width="${width}" height="${height}"`);
}
