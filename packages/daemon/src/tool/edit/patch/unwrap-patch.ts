import { insideFence } from "../reading/code-fence.ts";
import { fileHeader, isBegin, isEnd } from "./patch-markers.ts";

/** The lines of a patch without what surrounds it. `first`: the number of the first line in the call. `ended`: the patch has an end marker. */
type PatchText = { lines: string[]; first: number; ended: boolean };

const HERE_DOCUMENT = /^[^\n]*<<-?\s*(["']?)(\w+)\1[^\n]*\n([\s\S]*?)\n[ \t]*\2\s*["')]*\s*$/;

/** Finds the patch in a text that may also have a here-document, a code fence, or sentences around it. */
export function unwrapPatch(sent: string): PatchText {
  const text = unescapeWhole((patchInJson(sent) ?? sent).replaceAll("\r\n", "\n"));
  const inner = HERE_DOCUMENT.exec(text.trim())?.[3] ?? insideFence(text) ?? text;
  const lines = inner.split("\n");
  const begin = lines.findIndex(isBegin);
  const start =
    begin >= 0
      ? begin + 1
      : Math.max(
          0,
          lines.findIndex((line) => line.trim() !== ""),
        );
  const last = lines.findLastIndex(isEndMarker);
  const end = last >= start ? last : lengthWithoutBlanks(lines);
  return { lines: withoutInnerMarkers(lines.slice(start, end)), first: start + 1, ended: last >= start };
}

/** The patch in `{"patch": "…"}` or `{"command": ["apply_patch", "…"]}`, which models send where the patch itself belongs. */
function patchInJson(text: string): string | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const found = Object.values(JSON.parse(text) as Record<string, unknown>).flat();
    return found.find((value): value is string => typeof value === "string" && value.split("\n").some((line) => isBegin(line)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A patch on one line with `\n` in it was escaped once too often. */
function unescapeWhole(text: string): string {
  if (text.trim().includes("\n") || !/\\n/.test(text)) return text;
  return text.replace(/\\([\\nt"'])/g, (_, letter: string) => (letter === "n" ? "\n" : letter === "t" ? "\t" : letter));
}

/** A padded marker in a hunk could be a context line, so only the last line may be padded. */
const isEndMarker = (line: string, i: number, lines: readonly string[]): boolean =>
  isEnd(line) && (line.startsWith("*") || lines.slice(i + 1).every((after) => after.trim() === ""));

/** Several patches in one call are one patch. Lines between an end and the next beginning are dropped. */
function withoutInnerMarkers(lines: readonly string[]): string[] {
  let isOutside = false;
  return lines.filter((line, i) => {
    if (line.startsWith("*") && isEnd(line) && lines.slice(i).some((after) => isBegin(after))) isOutside = true;
    if (line.startsWith("*") && isBegin(line)) {
      isOutside = false;
      return false;
    }
    return !isOutside || (fileHeader(line) !== undefined && line.startsWith("*"));
  });
}

const lengthWithoutBlanks = (lines: readonly string[]): number => lines.findLastIndex((line) => line.trim() !== "") + 1;
