import { canonicalToolName } from "@baton/core/tool/tool-table";
import { applyPatch } from "./files/patch/apply-patch.ts";
import { askFollowupQuestion } from "./conversation/ask-followup-question.ts";
import { attemptCompletion } from "./modes/attempt-completion.ts";
import { codebaseSearch } from "./code/codebase-search.ts";
import { commandOutput } from "./commands/command-output.ts";
import { coordinateMode } from "./modes/coordinate-mode.ts";
import type { Tool } from "./tool-types.ts";
import { deleteFile } from "./files/delete-file.ts";
import { diagnosticsTool } from "./code/diagnostics.ts";
import { findSymbol } from "./code/find-symbol.ts";
import { editFile } from "./files/edit-file.ts";
import { enterPlan } from "./modes/enter-plan.ts";
import { exitPlan } from "./modes/exit-plan.ts";
import { fetchUrl } from "./web/fetch-url.ts";
import { glob } from "./files/glob.ts";
import { listFiles } from "./files/list-files.ts";
import { moveFile } from "./files/move-file.ts";
import { newTask } from "./modes/new-task.ts";
import { readFile } from "./files/read-file.ts";
import { renameSymbol } from "./code/rename-symbol.ts";
import { runCommand } from "./commands/run-command.ts";
import { runSlashCommand } from "./conversation/run-slash-command.ts";
import { searchText } from "./files/search-text.ts";
import { skill } from "./conversation/skill.ts";
import { stopCommand } from "./commands/stop-command.ts";
import { switchMode } from "./modes/switch-mode.ts";
import { toolsetManagementTools } from "./modes/toolset-tools.ts";
import { updateTodoList } from "./conversation/update-todo-list.ts";
import { webSearch } from "./web/web-search.ts";
import { writeToCommand } from "./commands/write-to-command.ts";
import { writeFile } from "./files/write-file.ts";

/** The built-in tools, in the order in which models get them. */
export const builtinTools: readonly Tool[] = [
  readFile,
  listFiles,
  searchText,
  glob,
  codebaseSearch,
  diagnosticsTool,
  findSymbol,
  writeFile,
  editFile,
  applyPatch,
  renameSymbol,
  moveFile,
  deleteFile,
  fetchUrl,
  webSearch,
  runCommand,
  commandOutput,
  writeToCommand,
  stopCommand,
  newTask,
  switchMode,
  coordinateMode,
  enterPlan,
  exitPlan,
  askFollowupQuestion,
  ...toolsetManagementTools,
  updateTodoList,
  skill,
  runSlashCommand,
  attemptCompletion,
];

const byName: ReadonlyMap<string, Tool> = new Map(builtinTools.map((tool) => [tool.name, tool]));

/** The tools by their names and aliases. */
export const toolByName: Pick<ReadonlyMap<string, Tool>, "get" | "keys" | "values"> = {
  get: (name) => byName.get(canonicalToolName(name)),
  keys: () => byName.keys(),
  values: () => byName.values(),
};
