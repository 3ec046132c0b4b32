import { oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import type { Diagnostic, ListedMode } from "./use-modes.ts";

/** A short fact about a mode; `fail` marks an error. */
type Badge = { text: string; fail?: true };

type SummarizedMode = Pick<ListedMode, "slug" | "source" | "plugin" | "shadows" | "inert" | "filePath">;

function ownerText({ source, plugin = "" }: Pick<ListedMode, "source" | "plugin">): string {
  switch (source) {
    case "builtin":
      return "built in";
    case "project":
      return "project";
    case "plugin":
      return `plugin ${plugin}`;
    case "global":
      return "yours";
  }
}

export function modeBadges(mode: SummarizedMode, diagnostics: readonly Diagnostic[]): Badge[] {
  const whose = ownerText(mode);
  const over = mode.shadows.length === 0 ? "" : overridesBuiltIn(mode) ? ", overrides built-in" : ", overrides another";
  return [
    ...(isFaulty(mode, diagnostics) ? [{ text: "invalid file", fail: true } as const] : []),
    ...(mode.inert ? [{ text: "ignored until trusted" }] : []),
    { text: `${whose}${over}` },
  ];
}

export const overridesBuiltIn = ({ shadows }: Pick<ListedMode, "shadows">): boolean => shadows.some(({ source }) => source === "builtin");

export const isFaulty = ({ slug, filePath }: SummarizedMode, diagnostics: readonly Diagnostic[]): boolean =>
  filePath !== undefined &&
  diagnostics.some(({ severity, file, slug: of }) => severity === "error" && file === filePath && (of === undefined || of === slug));

/** `9 built in, 2 from the project, 1 of yours`. */
export function modeCountsText(modes: readonly Pick<ListedMode, "source">[]): string {
  const of = (source: ListedMode["source"]) => modes.filter((mode) => mode.source === source).length;
  const ofPlugins = of("plugin") === 0 ? [] : [`${of("plugin")} from plugins`];
  return [`${of("builtin")} built in`, `${of("project")} from the project`, `${of("global")} of yours`, ...ofPlugins].join(", ");
}

/** The text of a card: the description, or the start of the role. */
export const modeGist = ({ description, roleDefinition }: Pick<ListedMode, "description" | "roleDefinition">): string =>
  oneLine(description) || shortened(oneLine(roleDefinition));

const MAX_SUMMARY_LENGTH = 160;
const shortened = (text: string): string =>
  text.length <= MAX_SUMMARY_LENGTH ? text : `${text.slice(0, text.lastIndexOf(" ", MAX_SUMMARY_LENGTH))} …`;

/** The name, if it differs from the slug. */
export const nameBeside = ({ name, slug }: Pick<ListedMode, "name" | "slug">): string | undefined =>
  normalized(name) === normalized(slug) ? undefined : oneLine(name);

const normalized = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a mode matches a search. */
export const matchesModeSearch = (
  search: string,
  { name, description, slug }: Pick<ListedMode, "name" | "description" | "slug">,
): boolean => [name, description, slug].some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));

/** The path of a file, relative to the folder if it is inside. */
export const fileIn = (cwd: string, file: string): string => (file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file);

/** A short path: only the end of a file outside of the folder. */
export function shortFile(cwd: string, file: string): string {
  const parts = file.split("/");
  return file.startsWith(`${cwd}/`) || parts.length <= 4 ? fileIn(cwd, file) : `…/${parts.slice(-3).join("/")}`;
}

/** Why a mode is read-only; undefined if it can be changed. */
export function readOnlyReason({
  source,
  inert,
  format,
  filePath,
}: Pick<ListedMode, "source" | "inert" | "format" | "filePath">): string | undefined {
  if (inert) return "Baton ignores this mode until the folder is trusted. Then you can change it.";
  if (source === "plugin") return "This mode is part of a plugin, so Baton only reads it. Make a copy to change it.";
  if (source === "builtin") return "This mode is built in. Override it to create your own definition.";
  const isForeign = format === "opencode" || (format !== "own" && filePath?.endsWith(".md") === true);
  return isForeign ? "This file belongs to another program, so Baton only reads it. Change it there, or make a copy." : undefined;
}

/** `2 sessions use it: Fix the build, Write the guide.` */
export function usersText(titles: readonly string[]): string {
  if (titles.length === 0) return "No session uses it.";
  const visible = titles.slice(0, 5).map((title) => oneLine(title) || "a session without a title");
  const more = titles.length > visible.length ? ` and ${titles.length - visible.length} more` : "";
  return `${formatCount(titles.length, "session")} ${titles.length === 1 ? "uses" : "use"} it: ${visible.join(", ")}${more}.`;
}
