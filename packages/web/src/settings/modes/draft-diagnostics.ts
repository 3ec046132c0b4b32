import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import {
  isJson,
  isSlug,
  JSON_FIELDS,
  suggestSlug,
  textAt,
  type ModeDraft,
  type FieldName,
  toDefinition,
  withoutEmptyFields,
} from "./mode-draft.ts";
import type { ListedMode } from "./use-modes.ts";

/** A diagnostic at a field. A mode with an `error` cannot be saved. */
export type FieldDiagnostic = { field: FieldName; severity: "error" | "warning" | "info"; message: string; fix?: string | undefined };

const PAUSE_MS = 200;

/** Diagnostics for the draft, as the daemon would report them for a file. Asks at each pause in typing. */
export function useDraftDiagnostics(cwd: string, draft: ModeDraft, others: readonly ListedMode[], isNew: boolean): FieldDiagnostic[] {
  const { link } = useApp();
  const connected = useConnected();
  const validate = async (signal: AbortSignal): Promise<{ of: ModeDraft; diagnostics: FieldDiagnostic[] }> => {
    const { path, text, fieldAt } = serializeModeDraft(cwd, draft);
    const { diagnostics } = await link.api.mode.validate.query({ cwd, files: [{ path, text }] }, { signal });
    return {
      of: draft,
      diagnostics: diagnostics.map(({ line, severity, message, fix }) => ({ field: fieldAt(line), severity, message, fix })),
    };
  };
  const { data } = useQuery(connected ? validate : undefined, [link, cwd, draft], { delayMs: PAUSE_MS });
  const last = data ?? { of: draft, diagnostics: [] };
  // Diagnostics of a field that has changed since are outdated.
  const held = last.diagnostics.filter(({ field }) => textAt(last.of, field) === textAt(draft, field));
  return [...held, ...jsonDiagnostics(draft), ...(isNew ? newModeDiagnostics(draft, others) : [])];
}

/** The daemon would only report a wrong type. */
const jsonDiagnostics = (draft: ModeDraft): FieldDiagnostic[] =>
  JSON_FIELDS.filter((field) => !isJson(draft[field])).map((field) => ({
    field,
    severity: "error",
    message: "This is not JSON.",
    fix: "Check quotes, commas and brackets.",
  }));

/** Checks that apply to new modes only. */
function newModeDiagnostics(
  { slug, description, scope }: Pick<ModeDraft, "slug" | "description" | "scope">,
  others: readonly Pick<ListedMode, "slug" | "source">[],
): FieldDiagnostic[] {
  const error = (field: FieldName, message: string, fix: string): FieldDiagnostic => ({ field, severity: "error", message, fix });
  const taken = others.some((other) => other.slug === slug && other.source === scope);
  return [
    ...(slug === "" ? [error("slug", "The slug is empty.", "Use letters, digits and dashes.")] : []),
    ...(slug !== "" && !isSlug(slug)
      ? [
          error(
            "slug",
            "A slug has at most 50 letters, digits and dashes, and begins with a letter or digit.",
            `Try ${suggestSlug(slug) || "my-mode"}.`,
          ),
        ]
      : []),
    ...(slug !== slug.toLowerCase() ? [error("slug", "A slug has no upper-case letters.", `Write ${slug.toLowerCase()}.`)] : []),
    ...(taken ? [error("slug", `The mode ${slug} exists already.`, "Choose another slug, or edit that one.")] : []),
    ...(description.trim() === ""
      ? [error("description", "The description is empty.", "Describe in a sentence when to use the mode.")]
      : []),
  ];
}

/** A draft written as a mode file with one field per line, so that a diagnostic of a line belongs to that field. */
type DraftFile = { path: string; text: string; fieldAt: (line: number) => FieldName };

type Line = { text: string; field: FieldName };

/**
 * The file does not exist. For a project its path is inside `cwd`, because project files have stricter rules. An invalid
 * slug is replaced, because the daemon would read nothing else of the mode.
 */
export function serializeModeDraft(cwd: string, draft: ModeDraft): DraftFile {
  const { groups, ...fields } = withoutEmptyFields(toDefinition({ ...draft, slug: isSlug(draft.slug) ? draft.slug : "new-mode" }));
  const groupValues = Array.isArray(groups) ? groups : [];
  const lines: Line[] = [
    { text: "{", field: "name" },
    ...Object.entries(fields).map(([name, value]): Line => ({ text: `${entry(name, value)},`, field: name as FieldName })), // toDefinition returns only these
    { text: '"groups": [', field: "groups" },
    ...groupValues.map((group: unknown, i): Line => ({
      text: `${JSON.stringify(group)}${i < groupValues.length - 1 ? "," : ""}`,
      field: groupField(group),
    })),
    { text: "]}", field: "groups" },
  ];
  return {
    path: draft.scope === "project" ? `${cwd}/.baton/modes.json` : `${cwd}/../modes.json`,
    text: lines.map(({ text }) => text).join("\n"),
    fieldAt: (line) => lines[line - 1]?.field ?? "name",
  };
}

const entry = (name: string, value: unknown): string => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;

function groupField(group: unknown): FieldName {
  if (typeof group !== "object" || group === null) return "groups";
  return "fileRegex" in group ? "fileRegex" : "commandRegex" in group ? "commandRegex" : "groups";
}
