import { currentContextTokens } from "@baton/core/session/context/context-budget";
import type { SessionView } from "@baton/core/client/session-view";
import { VERSION } from "../../program/version.ts";
import { shortModelName } from "@baton/core/text/format";
import type { VimMode } from "../vim/state.ts";

/** The state of the client that a status line command gets. */
export type StatusSource = {
  workspace: string;
  mode: string;
  model: string | undefined;
  acceptsEdits: boolean;
  /** The number of open requests. */
  requests: number;
  vim: VimMode | undefined;
  view: SessionView | undefined;
};

const VIM_NAMES: Record<VimMode, string> = { insert: "INSERT", normal: "NORMAL", visual: "VISUAL", visualLine: "VISUAL LINE" };

/** The JSON for the command. Fields that Claude Code has as well have its names, so that scripts work with both. */
export function statusInput({ workspace, mode, model, acceptsEdits, requests, vim, view }: StatusSource): object {
  const state = view?.state;
  const size = state?.step?.room?.context;
  const tokens = state ? currentContextTokens(state) : 0;
  const used = size === undefined ? undefined : Math.min(100, Math.round((100 * tokens) / size));
  return {
    hook_event_name: "Status",
    version: VERSION,
    session_id: view?.id ?? null,
    session_name: state?.title || null,
    cwd: workspace,
    workspace: { current_dir: workspace, project_dir: workspace },
    model: model === undefined ? null : { id: model, display_name: shortModelName(model) },
    cost: { total_cost_usd: state?.usage.cost ?? 0, total_duration_ms: state ? state.updatedAt - state.createdAt : 0 },
    context_window: {
      total_input_tokens: state?.usage.input ?? 0,
      total_output_tokens: state?.usage.output ?? 0,
      context_window_size: size ?? null,
      used_percentage: used ?? null,
      remaining_percentage: used === undefined ? null : 100 - used,
      used_tokens: tokens,
    },
    exceeds_200k_tokens: tokens > 200_000,
    ...(vim === undefined ? {} : { vim: { mode: VIM_NAMES[vim] } }),
    mode,
    accepts_edits: acceptsEdits,
    requests,
    working: state?.turn !== undefined,
  };
}
