import type { HookRun } from "@baton/core/protocol/hook";
import type { SessionState } from "@baton/core/session/state";
import type { HookDialect } from "../../hook/hook-definition.ts";
import { foreignCall } from "../../hook/tool-names.ts";

/** The session that a hook hears of. `transcript`: a file with the conversation, if the hook reads one. */
type HookSession = { id: string; state: SessionState; transcript?: string | undefined };

/**
 * The input of a hook as Claude Code and Codex write it: names of tools and arguments are those of the agent that its file was written for.
 * `baton_*` has Baton's own names.
 */
export function hookInput(run: HookRun, { id, state, transcript = "" }: HookSession, dialect: HookDialect): Record<string, unknown> {
  const { workspace, mode, parent, model } = state;
  const call = state.calls.find((each) => each.id === run.about);
  const foreign = call && foreignCall(call.tool, call.input ?? {}, workspace, dialect);
  return {
    session_id: id,
    transcript_path: transcript,
    cwd: workspace,
    hook_event_name: run.event,
    permission_mode: mode === "plan" ? "plan" : "default",
    mode,
    model: state.step?.model ?? model ?? "",
    ...(parent ? { agent_id: id, agent_type: mode, parent_session_id: parent.sessionId } : {}),
    ...(call && foreign
      ? {
          tool_name: foreign.name,
          tool_input: foreign.input,
          tool_use_id: call.id,
          baton_tool_name: call.tool,
          baton_tool_input: call.input ?? {},
          ...(call.result ? { tool_response: { outcome: call.result.outcome, text: call.result.text } } : {}),
        }
      : {}),
    ...run.details,
  };
}
