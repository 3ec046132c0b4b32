import { experimentFlags } from "@baton/core/mode/experiment-flags";
import { canonicalToolName } from "@baton/core/tool/tool-table";
import { matchesWildcard } from "@baton/core/permission/wildcard";

/** Everything besides rules that decides which tools are available: settings, experiments of the config and of the mode, the model. */
export type ToolAvailability = {
  todoList: boolean;
  disabledTools: readonly string[];
  /** True if the user or the project has skills. */
  skills: boolean;
  /** Why there is no web search, as the end of a sentence. Undefined: there is one. */
  noWebSearch?: string | undefined;
  /** Why no language server answers questions about code, as the end of a sentence. Undefined: one does. */
  noLanguageServer?: string | undefined;
  /** The same for renaming symbols. */
  noRename?: string | undefined;
  /** Why there is no index of the code, as the end of a sentence. Undefined: there is one. */
  noCodeIndex?: string | undefined;
  /** Why commands cannot have a terminal, as the end of a sentence. Undefined: they can. */
  noTerminal?: string | undefined;
  experiments: Readonly<Record<string, boolean>>;
  /** The slug of the mode. Undefined if it is unknown, which withholds nothing. */
  mode?: string | undefined;
  /** `provider/model`. Undefined if it is not known yet, which withholds nothing. */
  model?: string | undefined;
};

/** The availability without any settings. */
export const defaultAvailability: ToolAvailability = { todoList: true, disabledTools: [], skills: true, experiments: {} };

/** The reason why a tool is unavailable, as the end of a sentence. Undefined if it is available. */
export function withheldReason(tool: string, situation: ToolAvailability): string | undefined {
  const { todoList, disabledTools, skills, noWebSearch, noLanguageServer, noRename, noCodeIndex, noTerminal, experiments, mode, model } =
    situation;
  const disabled = disabledTools.find((name) => canonicalToolName(name) === tool);
  if (disabled !== undefined) return `disabledTools names it${disabled === tool ? "" : ` as ${disabled}`}`;
  if (tool === "update_todo_list" && !todoList) return "the setting todoList is off";
  if (isRefusedSwitchTool(tool, mode))
    return mode === CONFIGURATION_MODE ? "the session is already in configuration" : "it leaves configuration";
  if (tool === "skill" && !skills) return "there are no skills here";
  if (tool === "web_search" && noWebSearch !== undefined) return noWebSearch;
  if ((tool === "diagnostics" || tool === "find_symbol") && noLanguageServer !== undefined) return noLanguageServer;
  if (tool === "rename_symbol" && noRename !== undefined) return noRename;
  if (tool === "write_to_command" && noTerminal !== undefined) return noTerminal;
  if (tool === "codebase_search" && noCodeIndex !== undefined) return noCodeIndex;
  if (tool === "run_slash_command" && !isOn(tool, experiments)) return "the experiment runSlashCommand is off";
  const choice =
    model === undefined
      ? undefined
      : modelChoices.find(({ models, without }) => without.includes(tool) && models.some((pattern) => matchesWildcard(pattern, model)));
  return choice && `${model} does not get it: ${choice.reason}`;
}

export const CONFIGURATION_MODE = "configuration";

/** Outside of configuration mode the tool to enter is listed, inside the tool to leave. Calls of the other one get an answer anyway. */
export const isRefusedSwitchTool = (tool: string, mode: string | undefined): boolean =>
  mode !== undefined && (mode === CONFIGURATION_MODE ? tool === "enter-configuration-mode" : tool === "exit-configuration-mode");

/** True if an enabled flag enables this tool. */
const isOn = (tool: string, experiments: ToolAvailability["experiments"]): boolean =>
  Object.entries(experimentFlags).some(([flag, switched]) => switched === tool && experiments[flag] === true);

/** Tools that a model does not get, because it is trained on others. The first match applies. Models are `provider/model` with wildcards. */
const modelChoices: readonly { models: readonly string[]; without: readonly string[]; reason: string }[] = [
  { models: ["*/gpt-5*", "*/gpt-4.1*", "*codex*", "*/o3*", "*/o4*"], without: ["edit_file"], reason: "it is trained on apply_patch" },
  { models: ["*claude*", "*gemini*"], without: ["apply_patch"], reason: "it is trained on edit_file" },
];
