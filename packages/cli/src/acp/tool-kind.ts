import type { ToolKind } from "@agentclientprotocol/sdk";

/** What kind of thing a tool does, in the protocol's words; for the icon that a client shows. */
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
