import { oneLine } from "./sanitize.ts";
import type { KeptImage } from "../protocol/image.ts";
import { formatCount, countNoun, capitalize } from "./format.ts";
import type { Group } from "../protocol/mode.ts";

/** What a person reads where the conversation was made shorter. Sizes are in tokens. */
export function compactionText({ summary, before, after, only, problem }: Compaction): string {
  if (problem !== undefined) return `The conversation was not made shorter: ${oneLine(problem)}`;
  const sizes = before === undefined || after === undefined ? "" : `, ${thousands(before)} to ${thousands(after)} tokens`;
  if (summary !== undefined) return `The conversation was summed up for the model${sizes}`;
  return `${only === "images" ? "Pictures of calls" : "Old outputs"} were dropped for the model${sizes}`;
}

type Compaction = { summary?: string; before?: number; after?: number; only?: "images"; problem?: string };

const thousands = (tokens: number): string =>
  tokens < 1_000 ? `${Math.round(tokens)}` : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

/** When a model that failed is asked again, in epoch milliseconds, and how often it was asked. */
export type RetryInfo = { retryAt?: number | undefined; tries?: { made: number; most: number } | undefined };

/** "Retrying in 4 s (attempt 3 of 10)"; empty when the model is not asked again. */
export function retryText({ retryAt, tries }: RetryInfo, now: number): string {
  if (retryAt === undefined) return "";
  const left = Math.max(0, Math.ceil((retryAt - now) / 1_000));
  const when = left === 0 ? "now" : left < 120 ? `in ${left} s` : `in ${Math.ceil(left / 60)} min`;
  return `Retrying ${when}${tries ? ` (attempt ${tries.made + 1} of ${tries.most})` : ""}`;
}

/** How an MCP server stands, in words. */
export const serverStatusText = {
  idle: "not started yet",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  needs_login: "wants a login",
  disabled: "switched off",
  needs_approval: "wants your approval",
  refused: "refused by you",
} as const;

/** What went along with a prompt or a result: `2 pictures and 1 PDF`; nothing for nothing. */
export function attachmentSummary(images: readonly KeptImage[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const pictures = images.length - pdfs;
  return capitalize([...(pictures > 0 ? [formatCount(pictures, "picture")] : []), ...(pdfs > 0 ? [formatCount(pdfs, "PDF")] : [])]);
}

export const isPdf = ({ mediaType }: Pick<KeptImage, "mediaType">): boolean => mediaType === "application/pdf";

/** What it is and how large: `PNG picture, 12 KB`, `PDF, 300 KB`. */
export function imageCountText(mediaType: KeptImage["mediaType"], bytes: number): string {
  const kind = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF", "application/pdf": "PDF" }[mediaType];
  return `${kind}${isPdf({ mediaType }) ? "" : " picture"}, ${countNoun(Math.ceil(bytes / 1024))} KB`;
}

/** What a group of a mode is limited to, as short texts: expressions for files and commands, names of tools. */
export function groupLimitsText(group: Group): string[] {
  if (typeof group === "string") return [];
  const { fileRegex, deny, commandRegex, reading, tools = [] } = group;
  return [
    ...(fileRegex === undefined ? [] : [fileRegex]),
    ...(deny === undefined ? [] : [`not ${deny}`]),
    ...(commandRegex === undefined ? [] : [commandRegex]),
    ...(reading ? ["reading only"] : []),
    ...tools,
  ];
}
