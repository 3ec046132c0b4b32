import { toolName } from "@baton/core/mode/group";
import { applyPatch } from "./apply-patch.ts";
import { askFollowupQuestion } from "./ask-followup-question.ts";
import { attemptCompletion } from "./attempt-completion.ts";
import { commandOutput } from "./command-output.ts";
import { coordinateMode } from "./coordinate-mode.ts";
import type { Tool } from "./define.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { enterPlan } from "./enter-plan.ts";
import { exitPlan } from "./exit-plan.ts";
import { fetchUrl } from "./fetch-url.ts";
import { glob } from "./glob.ts";
import { listFiles } from "./list-files.ts";
import { moveFile } from "./move-file.ts";
import { newTask } from "./new-task.ts";
import { readFile } from "./read-file.ts";
import { runCommand } from "./run-command.ts";
import { runSlashCommand } from "./run-slash-command.ts";
import { searchText } from "./search-text.ts";
import { skill } from "./skill.ts";
import { stopCommand } from "./stop-command.ts";
import { switchMode } from "./switch-mode.ts";
import { toolsets } from "./toolset.ts";
import { updateTodoList } from "./update-todo-list.ts";
import { writeFile } from "./write-file.ts";

/** The built-in tools, in the order in which they are offered. */
export const tools: readonly Tool[] = [
  readFile,
  listFiles,
  searchText,
  glob,
  writeFile,
  editFile,
  applyPatch,
  moveFile,
  deleteFile,
  fetchUrl,
  runCommand,
  commandOutput,
  stopCommand,
  newTask,
  switchMode,
  coordinateMode,
  enterPlan,
  exitPlan,
  askFollowupQuestion,
  ...toolsets,
  updateTodoList,
  skill,
  runSlashCommand,
  attemptCompletion,
];

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tools by their names, and by those that other programs and older texts call them. */
export const toolByName: Pick<ReadonlyMap<string, Tool>, "get" | "keys" | "values"> = {
  get: (name) => byName.get(toolName(name)),
  keys: () => byName.keys(),
  values: () => byName.values(),
};
