import { executeToolsetTool } from "@baton/core/toolset/execute-tool";
import { definitions, inputs, toolsetTools, type ToolsetTool } from "@baton/core/toolset/definition";
import { actingTool, askingTool, failed, ok, type ToolsetCallResult, type Outcome, type Tool, type ModeRequest } from "../tool-types.ts";
import { isRecord } from "../arguments.ts";
import { refusedSwitch } from "./switch-mode.ts";

const ENTER = "enter-configuration-mode";
const CONFIGURATION = "configuration";

const ways = (name: ToolsetTool) =>
  ({
    name,
    group: CONFIGURATION,
    action: "configure",
    resource: name,
    hints: definitions[name].hints,
    description: definitions[name].description,
    label: (input: unknown) => ({ verb: "tools", object: labelOf(name, input) }),
    access: () => [{ action: "configure", resource: name }],
  }) as const;

/** `equip-toolset dev` */
const labelOf = (name: string, input: unknown): string =>
  isRecord(input) && typeof input["name"] === "string" ? `${name} ${input["name"].slice(0, 60)}` : name;

/** Going in is a change of mode like any other, so it asks. */
const enter = askingTool({
  ...ways(ENTER),
  input: inputs[ENTER],
  unasked: { choice: "accept" },
  ask: (_, { mode, standing }) => {
    if (standing.configuring) return answered(executeToolsetTool(ENTER, {}, standing, { tools: [], servers: [] }, 0));
    return {
      kind: "question",
      header: "Choose tools",
      text: `Let the agent choose tools of MCP servers?`,
      view: {
        type: "text",
        text: `It goes from ${mode.name} into Configuration, where it can read and choose tools, and nothing else. Leaving leads back to ${mode.name}.`,
        format: "markdown",
      },
      choices: [
        { id: "accept", label: "Let it choose", description: "What it builds and equips is asked about again." },
        { id: "stay", label: "Go on without", description: `Stays in ${mode.name}.` },
      ],
      freeText: true,
    };
  },
  answered: (_, answer, context) => {
    if (answer.choice !== "accept") return refusedSwitch(context, answer);
    const { standing } = context;
    const acted = executeToolsetTool(ENTER, {}, standing, { tools: [], servers: [] }, 0);
    const transition: ModeRequest = {
      to: CONFIGURATION,
      origin: "configuration",
      prompt:
        "You are in configuration mode. Look at what is available, build a toolset that fits the task, and equip it: that leads back.",
    };
    const changes = acted.ok ? acted.events.length : 0;
    return {
      ...answered(acted),
      events: [{ type: "toolset.changed", ...pinned(standing.equipped), changes, by: { daemon: true } }],
      transition,
    };
  },
});

const pinned = <T>(equipped: T | null): { equipped?: T } => (equipped === null ? {} : { equipped });

const acting = (name: ToolsetTool): Tool =>
  actingTool({
    ...ways(name),
    input: inputs[name],
    ...(definitions[name].hints.readOnly ? { replay: "safe" } : {}),
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
      return { ...answered(answer), events, ...(transition ? { transition } : {}) };
    },
  });

/** The ten tools for choosing tools. */
export const toolsets: readonly Tool[] = [enter, ...toolsetTools.filter((name) => name !== ENTER).map(acting)];

/** The way in for clients of the endpoint: there is no session whose mode would change. */
export const enterOfEndpoint: Tool = acting(ENTER);

/** The answer is for models and programs alike: JSON, with the names of what may be called now. */
function answered(answer: ReturnType<typeof executeToolsetTool> | ToolsetCallResult["answer"]): Outcome {
  const said = "answer" in answer ? (answer.answer as Record<string, unknown>) : answer;
  const text = JSON.stringify(said);
  const view = { type: "text", text: JSON.stringify(said, undefined, 2), format: "plain" } as const;
  if (said["ok"] === true) return ok(text, { view, end: endOf(said) });
  return failed(text, { view, end: typeof said["code"] === "string" ? said["code"] : "failed" });
}

function endOf({ changed, added, removed }: Record<string, unknown>): string {
  if (changed === false) return "unchanged";
  if (!Array.isArray(added) || !Array.isArray(removed)) return "done";
  return `+${added.length} −${removed.length} ${added.length + removed.length === 1 ? "tool" : "tools"}`;
}

/** What an approval shows: what would be there after it, and what would not. */
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
