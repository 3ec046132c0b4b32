import { oneLine } from "./sanitize.ts";
import type { KeptImage } from "../protocol/image.ts";
import { formatCount, formatNumber, joinWithAnd } from "./format.ts";
import type { Group, GroupName } from "../protocol/mode.ts";

/** The message for the user where Baton compacted the conversation. Sizes are in tokens. */
export function compactionText({ summary, before, after, only, problem }: Compaction): string {
  if (problem !== undefined) return `The conversation was not compacted: ${oneLine(problem)}`;
  const sizes = before === undefined || after === undefined ? "" : `, ${thousands(before)} to ${thousands(after)} tokens`;
  if (summary !== undefined) return `The conversation was summarized for the model${sizes}`;
  return `${only === "images" ? "Images of tool calls" : "Old outputs"} were removed for the model${sizes}`;
}

type Compaction = { summary?: string; before?: number; after?: number; only?: "images"; problem?: string };

const thousands = (tokens: number): string =>
  tokens < 1_000 ? `${Math.round(tokens)}` : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

/** When Baton calls a failed model again, in epoch milliseconds, and how many calls it made of how many. */
export type RetryInfo = { retryAt?: number | undefined; tries?: { made: number; most: number } | undefined };

/** `Retrying in 4 s (attempt 3 of 10)`. Empty if Baton does not retry. */
export function retryText({ retryAt, tries }: RetryInfo, now: number): string {
  if (retryAt === undefined) return "";
  const left = Math.max(0, Math.ceil((retryAt - now) / 1_000));
  const delay = left < 120 ? `in ${left} s` : `in ${Math.ceil(left / 60)} min`;
  const when = left === 0 ? "now" : delay;
  return `Retrying ${when}${tries ? ` (attempt ${tries.made + 1} of ${tries.most})` : ""}`;
}

/** The status of an MCP server, for the user. */
export const serverStatusText = {
  idle: "not started yet",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  needs_login: "needs a login",
  disabled: "switched off",
  needs_approval: "needs your approval",
  refused: "refused by you",
} as const;

/** The attachments of a prompt or a result: `2 images and 1 PDF`. Empty if there are none. */
export function attachmentSummary(images: readonly KeptImage[] = []): string {
  const pdfs = images.filter(isPdf).length;
  const imageCount = images.length - pdfs;
  const counts = [imageCount > 0 ? formatCount(imageCount, "image") : "", pdfs > 0 ? formatCount(pdfs, "PDF") : ""];
  return joinWithAnd(counts.filter((count) => count !== ""));
}

export const isPdf = ({ mediaType }: Pick<KeptImage, "mediaType">): boolean => mediaType === "application/pdf";

/** The type and size of an attachment: `PNG image, 12 KB`, `PDF, 300 KB`. */
export function imageCountText(mediaType: KeptImage["mediaType"], bytes: number): string {
  const kind = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF", "application/pdf": "PDF" }[mediaType];
  return `${kind}${isPdf({ mediaType }) ? "" : " image"}, ${formatNumber(Math.ceil(bytes / 1024))} KB`;
}

/** The limits of a mode's tool group as short texts: expressions for files and commands, and names of tools. */
export function groupLimitsText(group: Group): string[] {
  if (typeof group === "string") return [];
  const { fileRegex, deny, commandRegex, reading, tools = [] } = group;
  const limits = [fileRegex, deny === undefined ? undefined : `not ${deny}`, commandRegex, reading ? "read-only" : undefined, ...tools];
  return limits.filter((limit) => limit !== undefined);
}

/** The limits of one group of a mode in a few words. Empty if the mode has the whole group. */
export function groupLimitText(modeGroups: readonly Group[], groupName: GroupName): string {
  const group = modeGroups.find((each) => typeof each !== "string" && each.name === groupName);
  if (group === undefined || typeof group === "string") return "";
  if (group.reading) return "read-only commands";
  if (group.description) return oneLine(group.description);
  const limits = groupLimitsText(group);
  return limits.length === 0 ? "" : `only ${limits.join(", ")}`;
}
