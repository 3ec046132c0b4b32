import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { Plugin } from "rolldown";

/**
 * Escapes all characters outside of ASCII. V8 keeps the source of a program in memory, and one other character doubles its size, because the
 * whole text is then stored with two bytes for each character.
 */
export function asciiOutput(): Plugin {
  return {
    name: "ascii-output",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !NOT_ASCII.test(chunk.code)) continue;
        if (RAW_TEXT.test(chunk.code))
          this.error(`${chunk.fileName} has a String.raw with a character outside of ASCII, which cannot be escaped`);
        const lines = chunk.code.split("\n");
        chunk.code = lines.map(escaped).join("\n");
        const map = bundle[`${chunk.fileName}.map`];
        if (map?.type === "asset") map.source = withEscapes(map.source.toString(), lines);
      }
    },
  };
}

const NOT_ASCII = /[^\0-\x7f]/;
const RAW_TEXT = /String\.raw`[^`]*[^\0-\x7f`]/;

/** Every UTF-16 unit by itself, as in a string of JavaScript. */
const escaped = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The number of characters that an escape adds. */
const ADDED = "\\u0000".length - 1;

/** A source map whose columns follow the escapes. `lines`: the code before. */
function withEscapes(source: string, lines: readonly string[]): string {
  const map = JSON.parse(source) as { mappings: string };
  const mappings = decode(map.mappings).map((segments, index) => {
    const escapes = [...(lines[index] ?? "").matchAll(/[^\0-\x7f]/g)].map((match) => match.index);
    let before = 0;
    return segments.map(([column, ...rest]) => {
      while ((escapes[before] ?? Infinity) < column) before++;
      return [column + before * ADDED, ...rest] as SourceMapSegment;
    });
  });
  return JSON.stringify({ ...map, mappings: encode(mappings) });
}
