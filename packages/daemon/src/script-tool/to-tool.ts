import { approvalStatusText } from "@baton/core/text/approval-status-text";
import { escapeInvisible, oneLine, sanitize } from "@baton/core/text/sanitize";
import { actingTool, type ToolExecutionResult, type Tool, type ToolContext } from "../tool/tool-types.ts";
import { accessesOf, accessText, actionsOf, SCRIPT_TOOL, isReadOnly } from "./declared-access.ts";
import type { KnownTool } from "./tool-definition.ts";

const MAX_LABEL = 100;

/** Runs the script of a call once. */
type RunScript = (known: KnownTool, input: unknown, context: ToolContext) => Promise<ToolExecutionResult>;

/** A script as a tool of sessions. One that the user has not approved cannot be called. */
export function toScriptTool(known: KnownTool, run: RunScript): Tool {
  const { tool, status } = known;
  const { name, schema, label, checkInput } = tool;
  return actingTool({
    name,
    action: SCRIPT_TOOL,
    resource: name,
    hints: { readOnly: isReadOnly(schema.access) },
    declared: { actions: actionsOf(schema.access), source: label },
    ...(status === "approved" ? {} : { unavailable: `it ${approvalStatusText[status]}` }),
    description: sanitize(schema.description),
    schema: schema.input,
    input: checkInput,
    label: (input) => ({ verb: name, object: oneLine(JSON.stringify(input ?? {})).slice(0, MAX_LABEL) }),
    access: (input) => accessesOf(tool, input),
    preview: (input) =>
      Promise.resolve({
        type: "text",
        format: "plain",
        text: escapeInvisible(
          [`Script: ${label}`, `It declares: ${accessText(schema.access)}`, `Arguments: ${JSON.stringify(input, undefined, 2)}`].join("\n"),
        ),
      }),
    run: (input, context) => run(known, input, context),
  });
}
