import { omitUndefined } from "@baton/core/text/omit-undefined";
import * as z from "zod";
import { experimentFlags } from "@baton/core/mode/experiment-flags";
import { defaultColor } from "@baton/core/mode/default-color";
import { Mode, ModeKind, ModeSlug, type Group } from "@baton/core/protocol/mode";
import { FIELD_NAMES } from "./field-names.ts";
import { FieldReader } from "./field-reader.ts";
import { readAutoApprove } from "./field/auto-approve.ts";
import { readExpression } from "./field/regex.ts";
import { readGroups } from "./field/group.ts";
import { readModel } from "./field/model.ts";
import { readPermissions } from "./field/permission.ts";
import { readRulesFiles } from "./field/rules-file.ts";
import type { ReadMode, ReadContext } from "./mode-read-context.ts";
import { checkReserved } from "./check-reserved-slugs.ts";
import { slugify } from "./slugify.ts";
import { toPlainValue, type MapNode } from "./parse/syntax-node.ts";
import { closestMatch } from "@baton/core/text/closest-match";

/** Other sources of a mode's fields: a slug from the file name, and the text below the header. */
type ReadModeOptions = { slug?: string; body?: { at: number; text: string } };

/** Fields that Baton computes, or that only have a meaning in another program. Always ignored. */
const COMPUTED = ["source", "filePath", "format", "isCustom", "createdAt", "updatedAt", "checksum", "diagnostics"];

/**
 * Reads a definition with the field names of Baton, of Roo Code and its relatives, or of the design documents. Reports errors and returns
 * undefined if it is invalid.
 */
export function readMode(node: MapNode, reading: ReadContext, options: ReadModeOptions = {}): ReadMode | undefined {
  const before = reading.errors;
  const fields = new FieldReader(node, reading);
  const slug = readSlug(fields, reading, options.slug);
  reading.slug = slug;
  const read = slug === undefined ? undefined : readWithSlug(slug, fields, reading, options);
  const disabled = fields.flag("disabled", "disable") ?? false;
  if (read) {
    Object.assign(read.mode, extraOf(fields, reading));
    checkLengths(read.mode, fields, reading);
    checkReserved(read.mode, fields.entry("slug")?.value.at ?? fields.at, reading);
  }
  const taken = read && reading.errors === before && !disabled ? strict(read, fields, reading) : undefined;
  reading.slug = undefined;
  return taken;
}

function readSlug(fields: FieldReader, reading: ReadContext, otherwise: string | undefined): string | undefined {
  const slug = fields.filled(["slug"], {
    ...omitUndefined({ otherwise }),
    fix: "Give the mode a slug of letters, digits and dashes.",
  });
  if (slug === undefined || ModeSlug.safeParse(slug).success) return slug;
  const at = fields.entry("slug")?.value.at ?? fields.at;
  reading.slug = slug.slice(0, 60);
  reading.error(
    at,
    "bad_slug",
    `${JSON.stringify(slug.slice(0, 60))} is not a slug. A slug has at most 50 letters, digits and dashes, and begins with a letter or digit.`,
    `Write ${slugify(slug)}.`,
  );
  return undefined;
}

function readWithSlug(slug: string, fields: FieldReader, reading: ReadContext, { body }: ReadModeOptions): ReadMode {
  const name = fields.filled(["name", "displayName"], { otherwise: slug, fix: "Give the mode a readable name." }) ?? slug;
  const roleDefinition = body
    ? bodyOf(body, fields, reading)
    : fields.filled(["roleDefinition", "role", "prompt"], { fix: "Say who the agent is in this mode." });
  const description = fields.text("description") ?? "";
  const customRules = fields.texts(["customRules", "rules"], undefined);
  const groups = groupsOf(fields, reading);
  const tools = readTools(fields, reading);
  const allowed = expressions(["allowedFilePaths"], fields, reading);
  const disallowed = expressions(["disallowedFilePaths"], fields, reading);
  const model = readModel(fields, reading);
  const kind = ModeKind.safeParse(fields.text("kind", "mode")).data;
  const mode: Mode = {
    slug,
    name: name.trim(),
    description,
    whenToUse: fields.text("whenToUse") ?? description,
    roleDefinition: roleDefinition ?? "",
    customInstructions: fields.text("customInstructions", "instructions") ?? "",
    groups,
    icon: fields.text("icon", "iconName")?.replace(/^codicon-/, "") ?? "circle",
    hue: defaultColor(slug),
    ...some({
      kind,
      systemPrompt: fields.text("systemPrompt"),
      customRules: customRules?.map(({ text }) => text),
      tools,
      allowedFilePaths: allowed,
      disallowedFilePaths: disallowed,
      permissions: readRules(fields, reading),
      model,
      maxSteps: fields.number("maxSteps", "steps", "maxTurns", "maxIterations"),
      subagents: fields.texts(["subagents"])?.map(({ text }) => text),
      switchTargets: fields.texts(["switchTargets"])?.map(({ text }) => text),
      color: fields.text("color"),
      groupName: fields.text("groupName"),
      argumentHint: fields.text("argumentHint", "argument-hint"),
      hidden: fields.flag("hidden"),
      experimentalFeatures: readFlags(fields, reading),
      variables: readVariables(fields, reading),
      highlightRange: readRange(fields, reading),
    }),
  };
  return { mode, line: reading.line(fields.at), rulesFiles: readRulesFiles(fields, slug, reading) };
}

/** The text below the header is the role. If the header has a role, the text is the instructions. */
function bodyOf({ at, text }: NonNullable<ReadModeOptions["body"]>, fields: FieldReader, reading: ReadContext): string | undefined {
  const inHeader = fields.text("roleDefinition", "role", "prompt");
  if (inHeader !== undefined && inHeader.trim() !== "") return text.trim() === "" ? inHeader : `${inHeader}\n\n${text.trim()}`;
  if (text.trim() !== "") return text.trim();
  reading.error(
    at,
    "blank_field",
    "The text below the header is blank. It must say who the agent is in this mode.",
    "Write the role there.",
  );
  return undefined;
}

/** In the design documents `tools` is a list of groups; in Baton it is a table of patterns. */
function groupsOf(fields: FieldReader, reading: ReadContext): Group[] {
  const entry = fields.entry("groups") ?? listIn(fields, "tools");
  if (entry) return readGroups(entry, reading) ?? [];
  reading.error(fields.at, "missing_field", "The field groups is missing.", "List the tool groups, such as [read, edit], or [] for none.");
  return [];
}

function listIn(fields: FieldReader, key: string) {
  const entry = fields.entry(key);
  return entry?.value.kind === "list" ? entry : undefined;
}

function readTools(fields: FieldReader, reading: ReadContext): Mode["tools"] {
  if (listIn(fields, "tools")) return undefined;
  const table = fields.map("tools");
  if (!table) return undefined;
  const tools = new FieldReader(table, reading);
  const allow = tools.texts(["allow"])?.map(({ text }) => text);
  const deny = tools.texts(["deny"])?.map(({ text }) => text);
  return some({ allow, deny });
}

function readRules(fields: FieldReader, reading: ReadContext): Mode["permissions"] {
  const approved = fields.map("autoApprove");
  const own = fields.entry("permissions", "permission");
  if (!approved && !own) return undefined;
  return [...(approved ? readAutoApprove(approved, reading) : []), ...(own ? readPermissions(own, reading) : [])];
}

function expressions(names: string[], fields: FieldReader, reading: ReadContext): string[] | undefined {
  const texts = fields.texts(names);
  return texts?.map((text) => readExpression(text, reading)).filter((text) => text !== undefined);
}

function readFlags(fields: FieldReader, reading: ReadContext): Record<string, boolean> | undefined {
  const table = fields.map("experimentalFeatures");
  return (
    table &&
    Object.fromEntries(
      table.entries.flatMap(({ key, at, value }) => {
        const on = value.kind === "scalar" && value.value === true;
        const effect = experimentFlags[key];
        if (on && !effect) reading.report(at, "info", "flag_without_effect", `The flag ${key} has no effect here.`);
        return [[key, on]];
      }),
    )
  );
}

function readVariables(fields: FieldReader, reading: ReadContext): Mode["variables"] {
  const table = fields.map("variables");
  if (!table) return undefined;
  const variables = z.record(z.string(), z.json()).safeParse(toPlainValue(table));
  if (variables.success) return variables.data;
  reading.warn(table.at, "wrong_type", "The variables must be JSON values, so Baton ignores them.");
  return undefined;
}

function readRange(fields: FieldReader, reading: ReadContext): [number, number] | undefined {
  const entry = fields.entry("highlightRange");
  const value = entry && toPlainValue(entry.value);
  if (Array.isArray(value) && value.length === 2 && typeof value[0] === "number" && typeof value[1] === "number")
    return [value[0], value[1]];
  if (entry) reading.warn(entry.value.at, "wrong_type", "highlightRange must be a list of two numbers, so Baton ignores it.");
  return undefined;
}

/** Keeps the fields of other programs, and reports fields that look misspelled. */
function extraOf(fields: FieldReader, reading: ReadContext): { extra?: Record<string, unknown> } {
  fields.ignore(...COMPUTED);
  const rest = fields.rest();
  for (const { key, at } of rest) {
    const match = closestMatch(key, FIELD_NAMES);
    if (match && Math.abs(match.length - key.length) <= 3)
      reading.warn(at, "unknown_field", `There is no field ${key}. Baton keeps it without effect.`, `Did you mean ${match}?`);
  }
  return rest.length === 0 ? {} : { extra: Object.fromEntries(rest.map(({ key, value }) => [key, toPlainValue(value)])) };
}

/** Other programs cut or reject longer texts. Modes that Baton creates keep to these lengths, see `mode-editor.ts`. */
export const MAX_ROLE = 1_000;
export const MAX_DESCRIPTION = 500;

function checkLengths({ slug, roleDefinition, description }: Mode, fields: FieldReader, reading: ReadContext): void {
  const tooLong = (key: string, length: number, max: number) =>
    reading.report(
      fields.entry(key)?.value.at ?? fields.at,
      "info",
      "too_long",
      `The ${key} of ${slug} has ${length} characters. Other programs accept at most ${max}.`,
    );
  if (roleDefinition.length > MAX_ROLE) tooLong("roleDefinition", roleDefinition.length, MAX_ROLE);
  if (description.length > MAX_DESCRIPTION) tooLong("description", description.length, MAX_DESCRIPTION);
}

/** The final check with the strict schema. */
function strict(read: ReadMode, fields: FieldReader, reading: ReadContext): ReadMode | undefined {
  const parsed = Mode.safeParse(read.mode);
  if (parsed.success) return { ...read, mode: parsed.data };
  for (const { path, message } of parsed.error.issues.slice(0, 5)) {
    const key = String(path[0] ?? "");
    reading.error(fields.entry(key)?.value.at ?? fields.at, "bad_value", `${path.map(String).join(".")}: ${message}.`);
  }
  return undefined;
}

/** An object without its undefined fields. */
function some<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  }; // what is undefined was left out
}
