import type { ToolKind } from "@agentclientprotocol/sdk";

/** The protocol's kind of a tool; clients choose an icon by it. */
export const toolKind = (tool: string): ToolKind => KINDS[tool] ?? "other";

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  list_files: "read",
  glob: "search",
  search_text: "search",
  write_file: "edit",
  edit_file: "edit",
  apply_patch: "edit",
  delete_file: "delete",
  move_file: "move",
  run_command: "execute",
  command_output: "execute",
  stop_command: "execute",
  fetch_url: "fetch",
  update_todo_list: "think",
  switch_mode: "switch_mode",
  coordinate_mode: "switch_mode",
  enter_plan: "switch_mode",
  exit_plan: "switch_mode",
};
