import { groupOf, toolGroups } from "@baton/core/mode/tool-groups";
import { canonicalToolName } from "@baton/core/tool/tool-table";
import { GroupName, type Group, type LimitedGroup } from "@baton/core/protocol/mode";
import { closestMatch } from "@baton/core/text/closest-match";
import { FieldReader } from "../field-reader.ts";
import { COORDINATOR_MODE } from "@baton/core/session/leave-coordinator-mode";
import type { ReadContext } from "../mode-read-context.ts";
import type { MapEntry, MapNode, ModeSyntaxNode } from "../parse/syntax-node.ts";
import { readExpression } from "./regex.ts";

/** Groups of other programs that have no meaning in Baton, and the reason. */
const IGNORED: Record<string, string> = {
  modes: "In Baton a mode does not choose other modes: the daemon starts coordination if a mode lacks something",
  question: "Every mode may ask questions",
};

/** Other names of groups in relatives of Roo Code. */
const ALIASES: Readonly<Record<string, string>> = { write: "edit", execute: "command" };

/** The groups of a mode: names, pairs of a name and limits, or tables with a name. Undefined if the value is not a list. */
export function readGroups({ key, value }: MapEntry, reading: ReadContext): Group[] | undefined {
  if (value.kind !== "list") {
    reading.error(
      value.at,
      "wrong_type",
      `The field ${key} must be a list of tool groups.`,
      `Write [${NAMES.slice(0, 3).join(", ")}], or [] for none.`,
    );
    return undefined;
  }
  const seen = new Set<string>();
  return value.items.flatMap((item) => {
    const parts = partsOf(item, reading);
    const name = parts && nameOf(parts.name, reading);
    if (!parts || !name) return [];
    if (seen.has(name)) {
      reading.error(item.at, "duplicate_group", `The group ${name} appears twice.`, "Keep one of them, with all its limits.");
      return [];
    }
    seen.add(name);
    const limited = parts.limits && readLimits(name, parts.limits, reading);
    return [limited && Object.keys(limited).length > 1 ? limited : name];
  });
}

const NAMES: readonly string[] = toolGroups.map(({ name }) => name);

type Parts = { name: { at: number; text: string }; limits?: MapNode };

/** `edit`, `[edit, {...}]`, `{name: edit, ...}` or `{edit: {...}}`. */
function partsOf(item: ModeSyntaxNode, reading: ReadContext): Parts | undefined {
  const [first, second, more] = item.kind === "list" ? item.items : [];
  if (item.kind === "scalar" && typeof item.value === "string") return { name: { at: item.at, text: item.value } };
  if (item.kind === "map") {
    const [only, ...others] = item.entries;
    if (only?.value.kind === "map" && others.length === 0) return { name: { at: only.at, text: only.key }, limits: only.value };
    const name = new FieldReader(item, reading).filled(["name"], { fix: `Name the group: ${NAMES.join(", ")}.` });
    return name === undefined ? undefined : { name: { at: item.at, text: name }, limits: item };
  }
  if (first?.kind === "scalar" && typeof first.value === "string" && !more) {
    const name = { at: first.at, text: first.value };
    if (!second) return { name };
    if (second.kind === "map") return { name, limits: second };
  }
  reading.error(item.at, "wrong_type", "A group is a name, or a name with its limits.", "Write edit, or [edit, { fileRegex: '\\.md$' }].");
  return undefined;
}

function nameOf({ at, text }: Parts["name"], reading: ReadContext): GroupName | undefined {
  const name = ALIASES[text.trim()] ?? text.trim();
  const known = GroupName.safeParse(name);
  if (known.success && known.data === "coordinator" && reading.slug !== COORDINATOR_MODE) {
    reading.error(
      at,
      "reserved_group",
      "The group coordinator belongs to the mode coordinator.",
      "Remove it. Coordination starts by itself if a mode lacks something.",
    );
    return undefined;
  }
  if (known.success) return known.data;
  const why = IGNORED[name];
  if (why !== undefined) {
    reading.warn(at, "ignored_group", `The group ${name} has no effect. ${why}.`, "Remove it.");
    return undefined;
  }
  const match = closestMatch(name, NAMES);
  reading.error(
    at,
    "unknown_group",
    `There is no group ${JSON.stringify(name.slice(0, 60))}.`,
    match ? `Did you mean ${match}?` : `The groups are: ${NAMES.join(", ")}.`,
  );
  return undefined;
}

function readLimits(name: GroupName, node: MapNode, reading: ReadContext): LimitedGroup {
  const fields = new FieldReader(node, reading);
  const { names } = groupOf(name);
  const limits: LimitedGroup = { name };
  fields.ignore("name");
  const applies = (key: string, resourceKind: typeof names): { at: number; text: string } | undefined => {
    const entry = fields.entry(key);
    const text = fields.text(key);
    if (!entry || text === undefined) return undefined;
    if (names === resourceKind) return { at: entry.value.at, text };
    reading.warn(
      entry.at,
      "limit_without_effect",
      `${key} limits ${resourceKind}, but the group ${name} has none, so it has no effect.`,
      `Move it to a group of ${resourceKind}, or remove it.`,
    );
    return undefined;
  };
  const file = applies("fileRegex", "files");
  const files = file && readExpression(file, reading);
  if (files !== undefined) limits.fileRegex = files;
  const deny = applies("deny", "files");
  const denied = deny && readExpression(deny, reading);
  if (denied !== undefined) limits.deny = denied;
  const command = applies("commandRegex", "commands");
  const commands = command && readExpression(command, reading);
  if (commands !== undefined) limits.commandRegex = commands;
  if (fields.flag("reading") && name === "command") limits.reading = true;
  const tools = fields.texts(["tools"]);
  if (tools) limits.tools = tools.map((tool) => toolOfGroup(name, tool, reading)).filter((tool) => tool !== undefined);
  const description = fields.text("description");
  if (description !== undefined) limits.description = description;
  for (const { key, at } of fields.rest()) {
    const match = closestMatch(key, ["fileRegex", "commandRegex", "description", "tools", "deny", "reading"]);
    reading.error(at, "unknown_field", `A group has no field ${key}.`, match ? `Did you mean ${match}?` : "Remove it.");
  }
  return limits;
}

function toolOfGroup(group: GroupName, { at, text }: { at: number; text: string }, reading: ReadContext): string | undefined {
  const name = canonicalToolName(text);
  const { tools, open } = groupOf(group);
  if (open || tools.includes(name)) return name;
  const other = toolGroups.find((each) => each.tools.includes(name));
  const fix = other ? `It belongs to the group ${other.name}.` : `The tools of ${group} are: ${tools.join(", ")}.`;
  reading.warn(at, "unknown_tool", `The group ${group} has no tool ${JSON.stringify(text.slice(0, 60))}, so Baton ignores it.`, fix);
  return undefined;
}
