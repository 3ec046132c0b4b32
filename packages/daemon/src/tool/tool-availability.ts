import { flags } from "@baton/core/mode/experiments";
import { toolName } from "@baton/core/mode/tool-groups";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { modelChoices } from "./tools-by-model.ts";

/** What besides rules decides which tools are there: settings, experiments of the config and of the mode, the model. */
export type ToolAvailability = {
  todoList: boolean;
  disabledTools: readonly string[];
  /** Whether the person or the project has any. */
  skills: boolean;
  experiments: Readonly<Record<string, boolean>>;
  /** The slug of the mode; undefined when it is not known, which withholds nothing. */
  mode?: string | undefined;
  /** `provider/model`; undefined when it is not known yet, which withholds nothing. */
  model?: string | undefined;
};

/** What holds where the config says nothing. */
export const defaultAvailability: ToolAvailability = { todoList: true, disabledTools: [], skills: true, experiments: {} };

/** Why a tool is not there in this situation, as the end of a sentence; undefined when it is. */
export function withheldReason(tool: string, situation: ToolAvailability): string | undefined {
  const { todoList, disabledTools, skills, experiments, mode, model } = situation;
  const disabled = disabledTools.find((name) => toolName(name) === tool);
  if (disabled !== undefined) return `disabledTools names it${disabled === tool ? "" : ` as ${disabled}`}`;
  if (tool === "update_todo_list" && !todoList) return "the setting todoList is off";
  if (isRefusedSwitchTool(tool, mode))
    return mode === CONFIGURATION ? "the session is in configuration already" : "it leads out of configuration";
  if (tool === "skill" && !skills) return "there are no skills here";
  if (tool === "run_slash_command" && !isOn(tool, experiments)) return "the experiment runSlashCommand is off";
  const choice =
    model === undefined
      ? undefined
      : modelChoices.find(({ models, without }) => without.includes(tool) && models.some((pattern) => matchesWildcard(pattern, model)));
  return choice && `${model} does without it: ${choice.reason}`;
}

export const CONFIGURATION = "configuration";

/** The way in is listed outside and the way out inside. A call of the other is answered all the same. */
export const isRefusedSwitchTool = (tool: string, mode: string | undefined): boolean =>
  mode !== undefined && (mode === CONFIGURATION ? tool === "enter-configuration-mode" : tool === "exit-configuration-mode");

/** Whether a flag that switches this tool is on. */
const isOn = (tool: string, experiments: ToolAvailability["experiments"]): boolean =>
  Object.entries(flags).some(([flag, switched]) => switched === tool && experiments[flag] === true);
