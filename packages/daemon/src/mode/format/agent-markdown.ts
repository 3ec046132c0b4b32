import { omitUndefined } from "@baton/core/text/omit-undefined";
import { defaultColor } from "@baton/core/mode/default-color";
import { Mode, type Group } from "@baton/core/protocol/mode";
import { FieldReader } from "../field-reader.ts";
import { readModel } from "../field/model.ts";
import { slugify } from "../slugify.ts";
import type { ReadMode, ReadContext } from "../mode-read-context.ts";
import { toPlainValue } from "../parse/syntax-node.ts";
import type { MarkdownFile } from "./markdown.ts";

/** The fields that only one format has, converted to those of a mode. */
export type AgentFields = Pick<Mode, "groups"> &
  Partial<Pick<Mode, "kind" | "tools" | "permissions" | "subagents" | "maxSteps" | "hidden">>;

/** The groups of an agent whose file lists no tools. */
export const DEFAULT_AGENT_GROUPS: Group[] = ["read", "edit", "browser", "command", "mcp"];

/**
 * Converts an agent of another program to a mode. Name, description and the text below the header mean the same in all formats; `parts`
 * reads the rest.
 */
export function readAgent(
  { header, body, name: fileName }: MarkdownFile,
  reading: ReadContext,
  parts: (fields: FieldReader) => AgentFields,
): ReadMode | undefined {
  const before = reading.errors;
  const fields = new FieldReader(header, reading);
  const named = fields.text("name") ?? fileName;
  const slug = slugify(named);
  reading.slug = slug;
  if (slug !== named && slug !== named.toLowerCase())
    reading.report(fields.at, "info", "renamed", `The slug of ${JSON.stringify(named.slice(0, 80))} is ${slug}.`);
  const role = [fields.text("prompt", "system_prompt") ?? "", body.text.trim()].filter((text) => text.trim() !== "").join("\n\n");
  if (role === "")
    reading.error(body.at, "blank_field", "The text below the header is blank. It must say who the agent is.", "Write the role there.");
  const description = fields.text("description") ?? "";
  const model = readModel(fields, reading);
  const own = parts(fields);
  const color = fields.text("color");
  const argumentHint = fields.text("argument-hint", "argumentHint");
  const disabled = fields.flag("disable", "disabled") ?? false;
  const extra = Object.fromEntries(fields.rest().map(({ key, value }) => [key, toPlainValue(value)]));
  const mode: Mode = {
    slug,
    name: (fields.text("displayName") ?? named).slice(0, 100),
    description,
    whenToUse: description,
    roleDefinition: role,
    customInstructions: "",
    icon: "circle",
    hue: defaultColor(slug),
    ...own,
    ...omitUndefined({ model, color, argumentHint }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  const parsed = Mode.safeParse(mode);
  const [issue] = parsed.error?.issues ?? [];
  if (issue && reading.errors === before) reading.error(fields.at, "bad_value", `${issue.path.map(String).join(".")}: ${issue.message}.`);
  reading.slug = undefined;
  return parsed.success && reading.errors === before && !disabled
    ? { mode: parsed.data, line: reading.line(fields.at), rulesFiles: [] }
    : undefined;
}
