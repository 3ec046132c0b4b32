import type { Group, GroupName } from "../protocol/mode.ts";
import { oneLine } from "./sanitize.ts";

/** The limits of a mode's tool group as short texts: expressions for files and commands, and names of tools. */
export function groupLimitsText(group: Group): string[] {
  if (typeof group === "string") return [];
  const { fileRegex, deny, commandRegex, reading, tools = [] } = group;
  const limits = [fileRegex, deny === undefined ? undefined : `not ${deny}`, commandRegex, reading ? "read-only" : undefined, ...tools];
  return limits.filter((limit) => limit !== undefined);
}

/** The limits of one group of a mode in a few words. Empty if the mode has the whole group. */
export function groupLimitText(modeGroups: readonly Group[], groupName: GroupName): string {
  const group = modeGroups.find((each) => typeof each !== "string" && each.name === groupName);
  if (group === undefined || typeof group === "string") return "";
  if (group.reading) return "read-only commands";
  if (group.description) return oneLine(group.description);
  const limits = groupLimitsText(group);
  return limits.length === 0 ? "" : `only ${limits.join(", ")}`;
}
