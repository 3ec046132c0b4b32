import { configJsonSchema } from "../../../packages/daemon/src/config/config-schema.ts";
import { projectSections } from "../../../packages/daemon/src/config/project/project-config.ts";
import { settingDescriptions, settingPaths } from "../../../packages/daemon/src/config/setting-descriptions.ts";
import { code, table } from "../markdown.ts";
import type { Page } from "./page.ts";
import { schemaType } from "./schema-type.ts";

type Setting = ReturnType<typeof settingPaths>[number];

/** Every setting with its type, default and layer. */
export function settingsPage(): Page {
  const sections = Map.groupBy(settingPaths(configJsonSchema()), ([path]) => path.split(".")[0] ?? "");
  const [large, small] = partition([...sections], ([, settings]) => settings.length > 1);
  return {
    file: "settings.md",
    title: "All settings",
    about:
      "All settings of `config.jsonc` by name. [Settings](../settings.md) explains them. A trusted project may set those marked *project* in its `.baton/config.jsonc`, and can only make them stricter. `*` stands for a name that you choose.",
    parts: [
      "## Single settings",
      settingTable(small.flatMap(([, settings]) => settings)),
      ...large.flatMap(([name, settings]) => [`## ${name}`, settingTable(settings)]),
    ],
  };
}

const settingTable = (settings: readonly Setting[]): string =>
  table(["setting", "type", "meaning", "default", "set by"], settings.map(row));

function row([path, schema]: Setting): string[] {
  const { about, default: otherwise = "" } = settingDescriptions[path] ?? { about: "" };
  const isNested = Object.keys(schema.properties ?? {}).length > 0 || typeof schema.additionalProperties === "object";
  const type = isNested && path !== "permissions" ? "object" : shortType(path, schemaType(schema));
  return [code(path), code(type), about, otherwise, projectSections.has(path.split(".")[0] ?? "") ? "you, *project*" : "you"];
}

/** The type of rules is long, and the page of permissions explains it. */
const shortType = (path: string, type: string): string => (/(^|\.)permissions$/.test(path) ? "rules" : type);

const partition = <T>(list: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] => [
  list.filter((each) => isFirst(each)),
  list.filter((each) => !isFirst(each)),
];
