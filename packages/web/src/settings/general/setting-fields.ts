/** A setting as a form shows it, with its keys in the config. In `hint`, code is between backticks. */
export type SettingField = { setting: readonly [string, ...string[]]; label: string; hint: string; input: SettingInput };

/** `unit` follows a number. A list has one value per line. */
type SettingInput =
  | { kind: "text" }
  | { kind: "number"; whole: boolean; unit: string }
  | { kind: "choice"; choices: readonly string[] }
  | { kind: "switch" }
  | { kind: "list" };

type Schema = { type?: unknown; enum?: unknown; anyOf?: unknown; items?: unknown; properties?: unknown; description?: unknown };

/** The fields of a section of the config, from its JSON Schema. An object has a field for each of its settings. */
export function settingFields(section: string, schema: unknown): SettingField[] {
  const { properties, anyOf } = asSchema(schema);
  if (typeof properties === "object" && properties !== null)
    return Object.entries(properties).flatMap(([name, of]) => field([section, name], of) ?? []);
  // A section such as `network` is one value, or lists.
  const lists = Array.isArray(anyOf)
    ? anyOf.flatMap((form) => settingFields(section, form)).filter(({ input }) => input.kind === "list")
    : [];
  return [field([section], schema) ?? [], lists.filter(({ setting }) => setting.length > 1)].flat();
}

function field(setting: readonly [string, ...string[]], schema: unknown): SettingField | undefined {
  const { label, unit = "" } = LABELS[setting.join(".")] ?? { label: spaced(setting.at(-1) ?? "") };
  const { description } = asSchema(schema);
  const input = inputFor(asSchema(schema), unit);
  return input && { setting, label, hint: typeof description === "string" ? description : "", input };
}

function inputFor({ type, enum: choices, anyOf, items }: Schema, unit: string): SettingInput | undefined {
  if (Array.isArray(anyOf)) return inputFor(asSchema(anyOf[0]), unit); // the simple form; the others are written in the file
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
      return asSchema(items).type === "string" ? { kind: "list" } : undefined; // entries with fields are written in the file
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
export function parseSettingInput(
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
export const shownValue = (value: unknown): string =>
  value === undefined || (typeof value === "object" && !Array.isArray(value))
    ? ""
    : Array.isArray(value)
      ? value.join("\n")
      : String(value);

/** The value of a setting among those of its section. */
export function valueAt(values: unknown, setting: readonly string[]): unknown {
  return setting.reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), values);
}

/** The short names of settings. What a setting does is in the description of its schema. */
const LABELS: Readonly<Record<string, { label: string; unit?: string }>> = {
  model: { label: "Default model" },
  smallModel: { label: "Model for titles" },
  embeddingModel: { label: "Embedding model" },
  fallbackModels: { label: "Fallback models" },
  defaultMode: { label: "Default mode" },
  coordination: { label: "Coordination" },
  todoList: { label: "To-do list" },
  autoAnswer: {
    label: "Answer questions after",
    unit: "seconds",
  },
  "compaction.auto": { label: "Compact long conversations" },
  "compaction.model": { label: "Model for summaries" },
  "limits.cost": { label: "Cost of a session", unit: "US dollars" },
  "limits.costPerDay": { label: "Cost of a day", unit: "US dollars" },
  "limits.steps": { label: "Steps of a turn", unit: "steps" },
  "limits.minutes": { label: "Working time of a turn", unit: "minutes" },
  "limits.output": { label: "Results that a turn reads", unit: "MB" },
  "limits.children": { label: "Subtasks at once" },
  "limits.childDepth": { label: "Levels of subtasks" },
  "limits.commandProcesses": { label: "Processes of a command" },
  "limits.commandMemory": { label: "Memory of a command", unit: "MB" },
  sandbox: { label: "Sandbox for commands" },
  network: { label: "Network" },
  "network.allow": { label: "Allowed hosts" },
  "network.deny": { label: "Denied hosts" },
  passEnv: { label: "Variables for commands" },
  "commands.maxParts": { label: "Parts of a command" },
  codebaseIndex: { label: "Index of the code" },
  repositoryMap: { label: "Map of the repository", unit: "tokens" },
  disabledTools: { label: "Disabled tools" },
  "checks.waitMs": { label: "Wait for language servers", unit: "ms" },
  "checks.most": { label: "New errors for the model", unit: "errors" },
  "checks.continue": { label: "Turns continued by failed checks", unit: "times" },
  "terminal.notifications": { label: "Notifications in the terminal" },
  "terminal.title": { label: "Requests in its title" },
  "terminal.vim": { label: "Keys of vi in the prompt" },
  "retries.attempts": { label: "Attempts" },
  "retries.firstWait": { label: "First wait", unit: "seconds" },
  "retries.longestWait": { label: "Longest wait", unit: "seconds" },
  "retention.backups": { label: "Daily backups" },
  "retention.archivedDays": { label: "Delete archived sessions after", unit: "days" },
};
