import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolGroups as allGroups } from "@baton/core/mode/tool-groups";
import type { GroupName, LimitedGroup } from "@baton/core/protocol/mode";
import { jsonOrText } from "@baton/core/text/json";
import type { ListedMode } from "./use-modes.ts";

export type Scope = "global" | "project";

const TEXTS = [
  "slug",
  "name",
  "description",
  "whenToUse",
  "roleDefinition",
  "customInstructions",
  "systemPrompt",
  "icon",
  "kind",
  "model",
] as const;
/** One entry per line. */
const LISTS = ["customRules", "allowedFilePaths", "disallowedFilePaths", "subagents", "switchTargets"] as const;
/** Values as JSON. */
export const JSON_FIELDS = ["variables", "permissions", "experimentalFeatures"] as const;
const NEEDED: ReadonlySet<string> = new Set(["slug", "name", "description", "roleDefinition"]);

type TextName = (typeof TEXTS)[number] | (typeof LISTS)[number] | (typeof JSON_FIELDS)[number] | "maxSteps" | "baseUrl";
/** A field of the form that diagnostics can belong to. */
export type FieldName = TextName | "groups" | "fileRegex" | "commandRegex";

type Limits = Omit<LimitedGroup, "name">;
/** A tool group in the form. Its limits stay if the group is removed and added again. */
export type GroupChoice = { name: GroupName; on: boolean; limits: Limits };

/** A mode in the form. All texts are as typed. */
export type ModeDraft = Record<TextName, string> & {
  groups: readonly GroupChoice[];
  scope: Scope;
  /** Other settings of the model, which the form does not show. */
  manner: Pick<NonNullable<ListedMode["model"]>, "temperature" | "topP">;
};

export type Definition = Record<string, unknown>;

export const emptyDraft: ModeDraft = {
  ...(Object.fromEntries([...TEXTS, ...LISTS, ...JSON_FIELDS, "maxSteps", "baseUrl"].map((name) => [name, ""])) as Record<
    TextName,
    string
  >), // has all of its keys
  groups: groupChoices(["read"]),
  scope: "global",
  manner: {},
};

/** Converts a mode to a draft. */
export function toDraft(mode: ListedMode): ModeDraft {
  const { provider, id, baseUrl = "", ...manner } = mode.model ?? {};
  const values = Object.fromEntries(JSON_FIELDS.map((name) => [name, toJson(mode[name])])) as Record<(typeof JSON_FIELDS)[number], string>;
  const lists = Object.fromEntries(LISTS.map((name) => [name, mode[name]?.join("\n") ?? ""])) as Record<(typeof LISTS)[number], string>;
  return {
    ...lists,
    ...values,
    baseUrl,
    manner,
    slug: mode.slug,
    name: mode.name,
    description: mode.description,
    whenToUse: mode.whenToUse === mode.description ? "" : mode.whenToUse,
    roleDefinition: mode.roleDefinition,
    customInstructions: mode.customInstructions,
    systemPrompt: mode.systemPrompt ?? "",
    icon: mode.icon === "circle" ? "" : mode.icon,
    kind: mode.kind ?? "",
    model: [provider, id].filter((part) => part !== undefined).join("/"),
    maxSteps: mode.maxSteps === undefined ? "" : String(mode.maxSteps),
    groups: groupChoices(mode.groups),
    scope: mode.source === "project" ? "project" : "global",
  };
}

/** The groups of a mode in its order, then the groups that it lacks. Only the coordinator has the coordinator group. */
function groupChoices(modeGroups: ListedMode["groups"]): GroupChoice[] {
  const on = modeGroups.map((group): GroupChoice => {
    const { name, ...limits } = typeof group === "string" ? { name: group } : group;
    return { name, on: true, limits };
  });
  const off = allGroups.filter(({ name }) => name !== "coordinator" && !on.some((each) => each.name === name));
  return [...on, ...off.map(({ name }): GroupChoice => ({ name, on: false, limits: {} }))];
}

/** Converts a draft to a definition. An empty field is null. */
export function toDefinition(draft: ModeDraft): Definition {
  const texts = TEXTS.map((name): Entry => [name, draft[name].trim() === "" && !NEEDED.has(name) ? null : draft[name]]);
  const lists = LISTS.map((name): Entry => [name, splitLines(draft[name])]);
  const values = JSON_FIELDS.map((name): Entry => [name, parseJson(draft[name])]);
  const steps = draft.maxSteps.trim();
  return {
    ...Object.fromEntries([...texts, ...lists, ...values]),
    model: modelValue(draft),
    maxSteps: steps === "" ? null : /^\d+$/.test(steps) ? Number(steps) : steps,
    groups: draft.groups.filter(({ on }) => on).map(({ name, limits }) => (Object.keys(limits).length === 0 ? name : { name, ...limits })),
  };
}

type Entry = [string, unknown];

/** The name of the model, or an object if there are more settings. */
function modelValue({ model, baseUrl, manner }: ModeDraft): unknown {
  const [name, endpoint] = [model.trim(), baseUrl.trim()];
  if (endpoint === "" && Object.keys(manner).length === 0) return name === "" ? null : model;
  const [, provider, id = name] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    ...(id === "" ? {} : { id }),
    ...omitUndefined({ provider }),
    ...(endpoint === "" ? {} : { baseUrl: endpoint }),
    ...manner,
  };
}

const toJson = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, undefined, 2));

/** Parses JSON. An invalid text is returned as it is. */
const parseJson = (text: string): unknown => (text.trim() === "" ? null : jsonOrText(text));

export const isJson = (text: string): boolean => text.trim() === "" || parseJson(text) !== text;

function splitLines(text: string): string[] | null {
  const lines = text.split("\n").map((line) => line.trim());
  const filled = lines.filter((line) => line !== "");
  return filled.length === 0 ? null : filled;
}

/** The changed fields, in the form that the daemon wants. Other fields keep their value in the file. */
export function draftChange(before: ModeDraft, after: ModeDraft): Definition {
  const [old, now] = [toDefinition(before), toDefinition(after)];
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]));
  // Without `whenToUse` the description applies, so a changed description must also reset it.
  const follows = "description" in Object.fromEntries(changed) && now["whenToUse"] === null ? { whenToUse: null } : {};
  return { ...Object.fromEntries(changed), ...follows };
}

/** Removes null fields. */
export const withoutEmptyFields = (definition: Definition): Definition =>
  Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null));

export const withGroup = (draft: ModeDraft, name: GroupName, on: boolean): ModeDraft => ({
  ...draft,
  groups: draft.groups.map((each) => (each.name === name ? { ...each, on } : each)),
});

/** Sets a limit. An empty expression removes it. */
export const withLimit = (draft: ModeDraft, name: GroupName, key: "fileRegex" | "commandRegex", text: string): ModeDraft => ({
  ...draft,
  groups: draft.groups.map((each) => {
    if (each.name !== name) return each;
    const { [key]: _, ...others } = each.limits;
    return { ...each, limits: text === "" ? others : { ...others, [key]: text } };
  }),
});

export const limitIn = ({ groups }: ModeDraft, name: GroupName, key: "fileRegex" | "commandRegex"): string =>
  groups.find((each) => each.name === name)?.limits[key] ?? "";

/** The value of a field as text, for comparison. */
export const textAt = (draft: ModeDraft, field: FieldName): string =>
  field === "groups" || field === "fileRegex" || field === "commandRegex" ? JSON.stringify(draft.groups) : draft[field];

/** A valid slug has letters, digits and dashes. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/.test(text);

/** A slug for a name: `Docs writer` becomes `docs-writer`. */
export const suggestSlug = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 50);
