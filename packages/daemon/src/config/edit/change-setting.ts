import { refuse } from "@baton/core/protocol/refusal";
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from "jsonc-parser";
import * as z from "zod";
import { configJsonSchema, configSections, type Config } from "../config-schema.ts";
import { removeSetting } from "./remove-setting.ts";
import { JSONC_EDIT_OPTIONS, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";

/** The sections that a form can edit. Sections with keys, and lists that have their own commands, are left out. */
const formSections = [
  "model",
  "smallModel",
  "embeddingModel",
  "fallbackModels",
  "defaultMode",
  "coordination",
  "todoList",
  "autoAnswer",
  "compaction",
  "limits",
  "sandbox",
  "network",
  "passEnv",
  "commands",
  "checks",
  "disabledTools",
  "codebaseIndex",
  "repositoryMap",
  "retries",
  "retention",
  "terminal",
] as const satisfies readonly (keyof typeof configSections)[];

/** A setting by its keys in the config, such as `["limits", "cost"]`. */
export type SettingPath = readonly [string, ...string[]];

/** The JSON Schema of the sections that a form can edit, and their values in the config. */
export function formSettings(config: Config): { schema: object; values: Partial<Config> } {
  const { properties } = z.looseObject({ properties: z.record(z.string(), z.unknown()) }).parse(configJsonSchema());
  return {
    schema: Object.fromEntries(formSections.map((name) => [name, properties[name]])),
    values: Object.fromEntries(formSections.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]]))),
  };
}

/** Sets a setting, or removes it if the value is undefined. Everything else in the config stays as it is written. */
export async function changeSetting(edit: ConfigEditor, [section, ...rest]: SettingPath, value: unknown): Promise<EditResult> {
  const known = formSections.find((name) => name === section);
  if (known === undefined) return refuse("setting_invalid", `${section} cannot be changed here. Edit config.jsonc.`);
  if (section === "terminal" && (rest.length === 0 || rest[0] === "statusLine"))
    return refuse("setting_invalid", `${[section, ...rest].join(".")} names a command that runs in your terminal. Edit config.jsonc.`);
  let problem: string | undefined;
  const edited = await edit((before) => {
    const root = parseTree(before, [], { allowTrailingComma: true });
    const location = [section, ...rest];
    problem = otherForm(known, root && getNodeValue(root), rest.length > 0, value);
    if (problem !== undefined) return undefined;
    if (value === undefined && !(root && findNodeAtLocation(root, location))) return undefined;
    const after =
      value === undefined ? removeSetting(before, location) : applyEdits(before, modify(before, location, value, JSONC_EDIT_OPTIONS));
    const node = findNodeAtLocation(parseTree(after, [], { allowTrailingComma: true }) ?? EMPTY, [section]);
    const checked = node && configSections[known].safeParse(getNodeValue(node));
    problem = checked?.error?.issues[0]?.message;
    return problem === undefined ? after : undefined;
  });
  return problem === undefined ? edited : refuse("setting_invalid", `${[section, ...rest].join(".")}: ${problem}.`);
}

/** A section such as `network` is one value or an object. A change never replaces one by the other, because that would lose settings. */
function otherForm(section: string, config: unknown, isPart: boolean, value: unknown): string | undefined {
  const before: unknown = typeof config === "object" && config !== null ? Reflect.get(config, section) : undefined;
  if (before === undefined) return undefined;
  const isObject = typeof before === "object";
  if (isPart && !isObject) return `it is ${JSON.stringify(before)}, which has no parts. Remove that value first`;
  if (!isPart && isObject && !Array.isArray(before) && value !== undefined && typeof value !== "object")
    return `it has ${Object.keys(before ?? {}).join(" and ")}, which would be lost. Remove them first`;
  return undefined;
}

const EMPTY = { type: "object", offset: 0, length: 0 } as const;
