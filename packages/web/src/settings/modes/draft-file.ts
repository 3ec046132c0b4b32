import { toDefinition, isSlug, withoutEmptyFields, type ModeDraft, type FieldName } from "./draft.ts";

/** A form written as a file of modes, in which each line is about one field: what is wrong in a line is wrong at that field. */
export type DraftFile = { path: string; text: string; fieldAt: (line: number) => FieldName };

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
