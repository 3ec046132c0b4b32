import type { Actor, RequestAnswer } from "./request.ts";

export type RefusalCode =
  | "session_not_found"
  | "catalog_invalid"
  | "session_exists"
  | "session_read_only"
  | "request_not_found"
  | "already_answered"
  | "choice_not_offered"
  | "hash_mismatch"
  | "answer_incomplete"
  | "rule_too_wide"
  | "rule_invalid"
  | "nothing_running"
  | "nothing_queued"
  | "busy"
  | "rewind_impossible"
  | "fork_impossible"
  | "import_impossible"
  | "nothing_to_undo"
  | "nothing_to_redo"
  | "nothing_to_compact"
  | "key_not_found"
  | "provider_not_found"
  | "undo_conflict"
  | "command_not_found"
  | "command_not_in_mode"
  | "prompt_not_found"
  | "prompt_empty"
  | "mode_not_found"
  | "mode_unchanged"
  | "mode_invalid"
  | "mode_read_only"
  | "duplicate_slug"
  | "workspace_untrusted"
  | "model_not_found"
  | "no_model"
  | "model_failed"
  | "limit_reached"
  | "nothing_to_commit"
  | "grant_not_found"
  | "blob_too_large"
  | "too_large"
  | "blob_not_found"
  | "workspace_not_found"
  | "tool_not_found"
  | "hook_not_found"
  | "plugin_invalid"
  | "plugin_exists"
  | "plugin_not_found"
  | "place_not_found"
  | "root_not_found"
  | "root_invalid"
  | "place_impossible"
  | "place_in_use"
  | "place_conflict"
  | "config_broken"
  | "setting_invalid"
  | "mcp_server_not_found"
  | "mcp_server_exists"
  | "mcp_login_impossible"
  | "mcp_prompt_impossible"
  | "mcp_listing_invalid"
  | "profile_elsewhere"
  | "search_invalid"
  | "search_unavailable"
  | "resync"
  | "stalled"
  | "stopping";

/** The reason why a command does not fit the state. `message` says what, where and what to do. Core returns it as a value and never throws it. */
export type Refusal = {
  code: RefusalCode;
  message: string;
  /** For `already_answered`: who answered first, and how. */
  winner?: { by: Actor; answer: RequestAnswer };
};

export const refuse = (code: RefusalCode, message: string, more: Partial<Refusal> = {}): { refused: Refusal } => ({
  refused: { code, message, ...more },
});
