import type { Group } from "../protocol/mode.ts";

/** What a group of a mode is limited to, as short texts: expressions for files and commands, names of tools. */
export function groupLimitsText(group: Group): string[] {
  if (typeof group === "string") return [];
  const { fileRegex, deny, commandRegex, reading, tools = [] } = group;
  return [
    ...(fileRegex === undefined ? [] : [fileRegex]),
    ...(deny === undefined ? [] : [`not ${deny}`]),
    ...(commandRegex === undefined ? [] : [commandRegex]),
    ...(reading ? ["reading only"] : []),
    ...tools,
  ];
}
