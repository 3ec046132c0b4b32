import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/use-query.ts";
import { isJson, isSlug, JSONS, suggestSlug, textAt, type ModeDraft, type FieldName, toDefinition, withoutEmptyFields } from "./draft.ts";
import type { ListedMode } from "./use-modes.ts";

/** What is wrong at a field, and what to do. `error`: it cannot be saved like this. */
export type FieldFault = { field: FieldName; severity: "error" | "warning" | "info"; message: string; fix?: string | undefined };

const PAUSE_MS = 200;

/** What the daemon would say of a form if it were a file; asked while it is typed, at each pause. */
export function useFaults(cwd: string, draft: ModeDraft, others: readonly ListedMode[], isNew: boolean): FieldFault[] {
  const { link } = useApp();
  const connected = useConnected();
  const validate = async (signal: AbortSignal): Promise<{ of: ModeDraft; faults: FieldFault[] }> => {
    const { path, text, fieldAt } = draftFile(cwd, draft);
    const { diagnostics } = await link.api.mode.validate.query({ cwd, files: [{ path, text }] }, { signal });
    return { of: draft, faults: diagnostics.map(({ line, severity, message, fix }) => ({ field: fieldAt(line), severity, message, fix })) };
  };
  const { data } = useQuery(connected ? validate : undefined, [link, cwd, draft], { delayMs: PAUSE_MS });
  const told = data ?? { of: draft, faults: [] };
  // What was said of a field that has been typed in since is not true any more.
  const held = told.faults.filter(({ field }) => textAt(told.of, field) === textAt(draft, field));
  return [...held, ...faultsOfJson(draft), ...(isNew ? faultsOfNew(draft, others) : [])];
}

/** The daemon would only say that the text is of another type. */
const faultsOfJson = (draft: ModeDraft): FieldFault[] =>
  JSONS.filter((field) => !isJson(draft[field])).map((field) => ({
    field,
    severity: "error",
    message: "This is not JSON.",
    fix: "Check quotes, commas and brackets.",
  }));

/** What only a new mode has to keep to. */
export function faultsOfNew(
  { slug, description, scope }: Pick<ModeDraft, "slug" | "description" | "scope">,
  others: readonly Pick<ListedMode, "slug" | "source">[],
): FieldFault[] {
  const fault = (field: FieldName, message: string, fix: string): FieldFault => ({ field, severity: "error", message, fix });
  const taken = others.some((other) => other.slug === slug && other.source === scope);
  return [
    ...(slug === "" ? [fault("slug", "The slug is blank.", "Write letters, digits and dashes.")] : []),
    ...(slug !== "" && !isSlug(slug)
      ? [fault("slug", "Letters, digits and dashes only, at most 50, a letter or digit first.", `Try ${suggestSlug(slug) || "my-mode"}.`)]
      : []),
    ...(slug !== slug.toLowerCase() ? [fault("slug", "A slug has no capital letters.", `Write ${slug.toLowerCase()}.`)] : []),
    ...(taken ? [fault("slug", `There is a mode ${slug} already.`, "Choose another slug, or edit that one.")] : []),
    ...(description.trim() === "" ? [fault("description", "The description is blank.", "Say in a sentence what the mode is for.")] : []),
  ];
}

/** A form written as a file of modes, in which each line is about one field: what is wrong in a line is wrong at that field. */
type DraftFile = { path: string; text: string; fieldAt: (line: number) => FieldName };

type Line = { text: string; field: FieldName };

/**
 * The file lies nowhere; a project's is one below `cwd`, as the rules for files of projects hold for it. A slug that is none
 * is told without it: with such a slug, nothing else of a mode is read.
 */
export function draftFile(cwd: string, draft: ModeDraft): DraftFile {
  const { groups, ...fields } = withoutEmptyFields(toDefinition({ ...draft, slug: isSlug(draft.slug) ? draft.slug : "new-mode" }));
  const given = Array.isArray(groups) ? groups : [];
  const lines: Line[] = [
    { text: "{", field: "name" },
    ...Object.entries(fields).map(([name, value]): Line => ({ text: `${entry(name, value)},`, field: name as FieldName })), // definitionOf has no others
    { text: '"groups": [', field: "groups" },
    ...given.map((group: unknown, i): Line => ({
      text: `${JSON.stringify(group)}${i < given.length - 1 ? "," : ""}`,
      field: limitOf(group),
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

function limitOf(group: unknown): FieldName {
  if (typeof group !== "object" || group === null) return "groups";
  return "fileRegex" in group ? "fileRegex" : "commandRegex" in group ? "commandRegex" : "groups";
}
