import { oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import type { Diagnostic, ListedMode } from "./use-modes.ts";

/** What is to be known of a mode at a glance, in a word or two each; `fail` is what somebody has to mend. */
export type Badge = { text: string; fail?: true };

type Told = Pick<ListedMode, "slug" | "source" | "shadows" | "inert" | "filePath">;

export function modeBadges(mode: Told, diagnostics: readonly Diagnostic[]): Badge[] {
  const whose = mode.source === "builtin" ? "built in" : mode.source === "project" ? "project" : "yours";
  const over = mode.shadows.length === 0 ? "" : overridesBuiltIn(mode) ? ", overrides built-in" : ", overrides another";
  return [
    ...(isFaulty(mode, diagnostics) ? [{ text: "faulty file", fail: true } as const] : []),
    ...(mode.inert ? [{ text: "does not count until trusted" }] : []),
    { text: `${whose}${over}` },
  ];
}

export const overridesBuiltIn = ({ shadows }: Pick<ListedMode, "shadows">): boolean => shadows.some(({ source }) => source === "builtin");

export const isFaulty = ({ slug, filePath }: Told, diagnostics: readonly Diagnostic[]): boolean =>
  filePath !== undefined &&
  diagnostics.some(({ severity, file, slug: of }) => severity === "error" && file === filePath && (of === undefined || of === slug));

/** `9 built in, 2 from the project, 1 of yours`. */
export function modeSummary(modes: readonly Pick<ListedMode, "source">[]): string {
  const of = (source: ListedMode["source"]) => modes.filter((mode) => mode.source === source).length;
  return [`${of("builtin")} built in`, `${of("project")} from the project`, `${of("global")} of yours`].join(", ");
}

/** What a card says of a mode: its description, or else how its role begins. */
export const modeGist = ({ description, roleDefinition }: Pick<ListedMode, "description" | "roleDefinition">): string =>
  oneLine(description) || shortened(oneLine(roleDefinition));

const MAX_SUMMARY_LENGTH = 160;
const shortened = (text: string): string =>
  text.length <= MAX_SUMMARY_LENGTH ? text : `${text.slice(0, text.lastIndexOf(" ", MAX_SUMMARY_LENGTH))} …`;

/** The name where it says more than the slug does. */
export const nameBeside = ({ name, slug }: Pick<ListedMode, "name" | "slug">): string | undefined =>
  letters(name) === letters(slug) ? undefined : oneLine(name);

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a search finds a mode, whatever the case. */
export const isFound = (wanted: string, { name, description, slug }: Pick<ListedMode, "name" | "description" | "slug">): boolean =>
  [name, description, slug].some((text) => text.toLowerCase().includes(wanted.trim().toLowerCase()));

/** A file as it is named here: inside the folder by its path there. */
export const fileIn = (cwd: string, file: string): string => (file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file);

/** The same in a few words: of one elsewhere the end. */
export function shortFile(cwd: string, file: string): string {
  const parts = file.split("/");
  return file.startsWith(`${cwd}/`) || parts.length <= 4 ? fileIn(cwd, file) : `…/${parts.slice(-3).join("/")}`;
}

/** Why a mode cannot be changed where it lies; undefined when it can. */
export function fixedBy({
  source,
  inert,
  format,
  filePath,
}: Pick<ListedMode, "source" | "inert" | "format" | "filePath">): string | undefined {
  if (inert) return "It does not count until the folder is trusted, and can be changed from then on.";
  if (source === "builtin") return "It is built in. Override it to make a definition of your own.";
  const isForeign = format === "opencode" || (format !== "own" && filePath?.endsWith(".md") === true);
  return isForeign ? "Its file belongs to another program and is only read here. Change it there, or make a copy." : undefined;
}

/** `2 sessions use it: Fix the build, Write the guide.` */
export function usersText(titles: readonly string[]): string {
  if (titles.length === 0) return "No session uses it.";
  const shown = titles.slice(0, 5).map((title) => oneLine(title) || "a session without a title");
  const more = titles.length > shown.length ? ` and ${titles.length - shown.length} more` : "";
  return `${formatCount(titles.length, "session")} ${titles.length === 1 ? "uses" : "use"} it: ${shown.join(", ")}${more}.`;
}
