/** A setting as a form shows it, with its keys in the config. */
export type SettingField = { setting: readonly [string, ...string[]]; label: string; hint: string; input: SettingInput };

/** `unit` follows a number. A list has one value per line. */
export type SettingInput =
  | { kind: "text" }
  | { kind: "number"; whole: boolean; unit: string }
  | { kind: "choice"; choices: readonly string[] }
  | { kind: "switch" }
  | { kind: "list" };

type Schema = { type?: unknown; enum?: unknown; properties?: unknown; items?: unknown };
type Texts = { label: string; hint?: string; unit?: string };

/** The fields of a section of the config, from its JSON Schema. An object has a field for each of its settings. */
export function settingFields(section: string, schema: unknown): SettingField[] {
  const { properties } = asSchema(schema);
  if (typeof properties === "object" && properties !== null)
    return Object.entries(properties).flatMap(([name, of]) => field([section, name], of) ?? []);
  return [field([section], schema) ?? []].flat();
}

function field(setting: readonly [string, ...string[]], schema: unknown): SettingField | undefined {
  const { label, hint = "", unit = "" } = TEXTS[setting.join(".")] ?? { label: spaced(setting.at(-1) ?? "") };
  const input = inputFor(asSchema(schema), unit);
  return input && { setting, label, hint, input };
}

function inputFor({ type, enum: choices }: Schema, unit: string): SettingInput | undefined {
  if (Array.isArray(choices)) return { kind: "choice", choices: choices.map(String) };
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
      return { kind: "number", whole: type === "integer", unit };
    case "boolean":
      return { kind: "switch" };
    case "array":
      return { kind: "list" };
    default:
      return undefined;
  }
}

const asSchema = (schema: unknown): Schema => (typeof schema === "object" && schema !== null ? schema : {});

/** `commandMemory` as words: `Command memory`. */
const spaced = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The value that a user typed, null to remove the setting, or the reason why it is not valid. */
export function typedValue(
  input: SettingInput,
  typed: string,
): { value: string | number | boolean | string[] | null } | { problem: string } {
  const text = typed.trim();
  if (text === "") return { value: null };
  switch (input.kind) {
    case "number": {
      const value = Number(text.replace(",", "."));
      if (!Number.isFinite(value) || (input.whole && !Number.isInteger(value)))
        return { problem: input.whole ? "Enter a whole number." : "Enter a number." };
      return { value };
    }
    case "switch":
      return { value: text === "true" };
    case "list":
      return {
        value: text
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      };
    case "text":
    case "choice":
      return { value: text };
  }
}

/** A value of the config as its field shows it. */
export const shownValue = (value: unknown): string => (value === undefined ? "" : Array.isArray(value) ? value.join("\n") : String(value));

/** The value of a setting among those of its section. */
export function valueAt(values: unknown, setting: readonly string[]): unknown {
  return setting.reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), values);
}

const TEXTS: Readonly<Record<string, Texts>> = {
  model: { label: "Default model", hint: "The model of new sessions, as provider/model" },
  smallModel: { label: "Model for titles", hint: "Without one, a session is named after its first prompt" },
  fallbackModels: { label: "Fallback models", hint: "They replace a model that keeps failing, in this order. One per line" },
  defaultMode: { label: "Default mode", hint: "The mode of new sessions. code without a setting" },
  coordination: { label: "Coordination", hint: "What happens when a mode lacks a tool. auto without a setting" },
  todoList: { label: "To-do list", hint: "Whether the agent keeps one. On without a setting" },
  autoAnswer: {
    label: "Answer questions after",
    unit: "seconds",
    hint: "Baton then takes the first suggestion. Never without a setting. Approvals are never answered",
  },
  "compaction.auto": { label: "Compact long conversations", hint: "On without a setting" },
  "compaction.model": { label: "Model for summaries", hint: "The session's model without a setting" },
  "limits.cost": { label: "Cost of a session", unit: "US dollars" },
  "limits.costPerDay": { label: "Cost of a day", unit: "US dollars", hint: "All sessions together" },
  "limits.steps": { label: "Steps of a turn", unit: "steps", hint: "200 without a setting" },
  "limits.minutes": { label: "Working time of a turn", unit: "minutes" },
  "limits.output": { label: "Results that a turn reads", unit: "MB" },
  "limits.children": { label: "Subtasks at once", hint: "4 without a setting" },
  "limits.childDepth": { label: "Levels of subtasks", hint: "5 without a setting" },
  "limits.commandProcesses": { label: "Processes of a command", hint: "2,000 without a setting" },
  "limits.commandMemory": { label: "Memory of a command", unit: "MB", hint: "Four fifths of the machine without a setting" },
  sandbox: { label: "Sandbox for commands", hint: "If no sandbox works, commands are refused. Off without a setting" },
  network: { label: "Network", hint: "off denies fetching and servers with an address. On without a setting" },
  passEnv: { label: "Variables for commands", hint: "They get these variables of the daemon as well. One name per line" },
  "commands.maxParts": { label: "Parts of a command", hint: "A longer command asks. 200 without a setting" },
  disabledTools: { label: "Disabled tools", hint: "One name per line" },
  "retries.attempts": { label: "Attempts", hint: "10 without a setting. 1 turns retries off" },
  "retries.firstWait": { label: "First wait", unit: "seconds", hint: "It doubles before each further attempt" },
  "retries.longestWait": { label: "Longest wait", unit: "seconds", hint: "A provider that asks for a longer wait fails the turn" },
  "retention.backups": { label: "Daily backups", hint: "7 without a setting. 0 turns them off" },
  "retention.archivedDays": { label: "Delete archived sessions after", unit: "days", hint: "Never without a setting" },
};
