import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolFields } from "@baton/core/tool/tool-table";
import { executeToolsetManagementTool } from "@baton/core/toolset/execute-toolset-management-tool";
import { toolsetToolDefinitions, toolsetInputs, toolsetTools, type ToolsetTool } from "@baton/core/toolset/toolset-inputs";
import { isRecord } from "@baton/core/text/json";
import {
  actingTool,
  askingTool,
  failed,
  ok,
  type ToolsetCallResult,
  type ToolExecutionResult,
  type Tool,
  type ModeRequest,
} from "../tool-types.ts";
import { refusedSwitch } from "./switch-mode.ts";

const ENTER = "enter-configuration-mode";
const CONFIGURATION = "configuration";

const commonFields = (name: ToolsetTool) =>
  ({
    ...toolFields(name),
    resource: name,
    hints: toolsetToolDefinitions[name].hints,
    description: toolsetToolDefinitions[name].description,
    label: (input: unknown) => ({ verb: "tools", object: labelOf(name, input) }),
    access: () => [{ action: "configure", resource: name }],
  }) as const;

/** `equip-toolset dev` */
const labelOf = (name: string, input: unknown): string =>
  isRecord(input) && typeof input["name"] === "string" ? `${name} ${input["name"].slice(0, 60)}` : name;

/** Entering configuration mode is a mode change like any other, so it asks. */
const enter = askingTool({
  ...commonFields(ENTER),
  input: toolsetInputs[ENTER],
  unasked: { choice: "accept" },
  ask: (_, { mode, toolsetState }) => {
    if (toolsetState.configuring) return answered(executeToolsetManagementTool(ENTER, {}, toolsetState, { tools: [], servers: [] }, 0));
    return {
      kind: "question",
      header: "Choose tools",
      text: `Let the agent choose tools of MCP servers?`,
      view: {
        type: "text",
        text: `The agent switches from ${mode.name} to Configuration, where it can only read files and select tools. Leaving returns to ${mode.name}.`,
        format: "markdown",
      },
      choices: [
        { id: "accept", label: "Let it choose", description: "Baton asks again about each toolset that it builds or equips." },
        { id: "stay", label: "Go on without", description: `Stays in ${mode.name}.` },
      ],
      freeText: true,
    };
  },
  answered: (_, answer, context) => {
    if (answer.choice !== "accept") return refusedSwitch(context, answer);
    const { toolsetState } = context;
    const acted = executeToolsetManagementTool(ENTER, {}, toolsetState, { tools: [], servers: [] }, 0);
    const transition: ModeRequest = {
      to: CONFIGURATION,
      origin: "configuration",
      prompt:
        "You are in configuration mode. List the available tools, build a toolset that fits the task, and equip it. That returns to the previous mode.",
    };
    const changes = acted.ok ? acted.events.length : 0;
    return {
      ...answered(acted),
      events: [{ type: "toolset.changed", ...pinned(toolsetState.equipped), changes, by: { daemon: true } }],
      transition,
    };
  },
});

const pinned = <T>(equipped: T | null): { equipped?: T } => (equipped === null ? {} : { equipped });

const configuringTool = (name: ToolsetTool): Tool =>
  actingTool({
    ...commonFields(name),
    input: toolsetInputs[name],
    beforehand: async (input, { configure }) => {
      const { answer } = await configure(name, input, { dry: true });
      return answer.ok ? undefined : answered(answer);
    },
    preview: async (input, { configure }) => {
      const { answer } = await configure(name, input, { dry: true });
      return { type: "text", text: previewOf(name, input, answer), format: "plain" };
    },
    run: async (input, { configure }) => {
      const { answer, events, transition } = await configure(name, input);
      return { ...answered(answer), events, ...omitUndefined({ transition }) };
    },
  });

/** The ten toolset tools. */
export const toolsetManagementTools: readonly Tool[] = [enter, ...toolsetTools.filter((name) => name !== ENTER).map(configuringTool)];

/** The tool for clients of the endpoint, whose session has no mode to change. */
export const enterOfEndpoint: Tool = configuringTool(ENTER);

/** The answer as JSON, for models and programs, with the names of the tools that may be called now. */
function answered(answer: ReturnType<typeof executeToolsetManagementTool> | ToolsetCallResult["answer"]): ToolExecutionResult {
  const fields = "answer" in answer ? (answer.answer as Record<string, unknown>) : answer;
  const text = JSON.stringify(fields);
  const view = { type: "text", text: JSON.stringify(fields, undefined, 2), format: "plain" } as const;
  if (fields["ok"] === true) return ok(text, { view, end: endOf(fields) });
  return failed(text, { view, end: typeof fields["code"] === "string" ? fields["code"] : "failed" });
}

function endOf({ changed, added, removed }: Record<string, unknown>): string {
  if (changed === false) return "unchanged";
  if (!Array.isArray(added) || !Array.isArray(removed)) return "done";
  return `+${added.length} −${removed.length} ${added.length + removed.length === 1 ? "tool" : "tools"}`;
}

/** The text of an approval: the tools that would be available afterwards, and those that would not. */
function previewOf(name: ToolsetTool, input: unknown, answer: ToolsetCallResult["answer"]): string {
  const asked = `${name} ${JSON.stringify(input)}`;
  if (!answer.ok) return `${asked}\nIt would fail: ${String(answer.message)}`;
  const list = (key: string, sign: string): string[] => {
    const names = answer[key];
    return Array.isArray(names) ? names.map((each) => `  ${sign} ${String(each)}`) : [];
  };
  const tokens = typeof answer["tokens"] === "number" ? [`about ${answer["tokens"]} tokens in each request`] : [];
  return [
    asked,
    ...list("added", "+"),
    ...list("removed", "-"),
    ...list("missing", "missing"),
    ...list("withheld", "changed"),
    ...tokens,
  ].join("\n");
}
