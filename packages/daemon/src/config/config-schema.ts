import { Rule } from "@baton/core/protocol/rule";
import { McpServer, ServerName } from "@baton/core/protocol/mcp";
import { Effort, ModelEntry } from "@baton/core/protocol/model";
import { ModelChoice, ModeSlug } from "@baton/core/protocol/mode";
import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { ToolsetName } from "@baton/core/protocol/toolset";
import * as z from "zod";

const NamedModel = z.string().regex(/^[^/]+\/.+$/, "a model is written as provider/model");

/** A model of a provider, in the shape of models.dev or in short. `options` are the provider's own. */
const OwnModel = ModelEntry.extend({
  contextWindow: z.number().int().positive().optional(),
  maxOutput: z.number().int().positive().optional(),
  effort: Effort.optional(),
  options: z.record(z.string(), z.json()).optional(),
}).strict();

const Provider = z
  .strictObject({
    kind: z.enum(["openai-compatible", "openai", "openai-chat", "anthropic", "google", "mistral", "xai", "azure", "bedrock"]),
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    apiKey: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Of Bedrock. */
    region: z.string().optional(),
    /** Of Azure. */
    resource: z.string().optional(),
    apiVersion: z.string().optional(),
    /** How long the provider may be silent, in milliseconds. */
    timeoutMs: z.number().int().positive().optional(),
    /** Go with every request, in the provider's own words. */
    options: z.record(z.string(), z.json()).optional(),
    models: z.record(z.string(), OwnModel).default({}),
  })
  .refine(({ kind, baseUrl }) => kind !== "openai-compatible" || baseUrl !== undefined, {
    path: ["baseUrl"],
    message: "an openai-compatible provider needs its address",
  });

/** What a person says of one mode: texts for a built-in one, a model and rules for any. */
const RuleList = z.array(Rule).check(expressed);
/** Actions with an effect, or with resources and an effect for each. */
const RuleTable = z.record(z.string(), z.union([Rule.shape.effect, z.record(z.string(), Rule.shape.effect)]));

const ModeSettings = z.strictObject({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  whenToUse: z.string().optional(),
  roleDefinition: z.string().min(1).optional(),
  customInstructions: z.string().optional(),
  model: z.union([z.string(), ModelChoice]).optional(),
  permissions: z.union([RuleList, RuleTable.transform((table) => rulesFromTable(table).map(({ rule }) => rule))]).optional(),
  /** The toolset that sessions in it have, unless one was given its own. */
  toolset: ToolsetName.optional(),
});

/** The parts of config.jsonc. Each is checked by itself, so that one broken part does not take the others with it. */
export const configSections = {
  model: NamedModel,
  /** Stand in, in this order, for a model that fails again and again, until the end of the turn. */
  fallbackModels: z.array(NamedModel),
  /** Gives sessions their titles; without one they are called after their first prompt. */
  smallModel: NamedModel,
  providers: z.record(z.string(), Provider),
  modes: z.record(z.string(), ModeSettings),
  permissions: z.union([RuleList, RuleTable]),
  mcpServers: z.record(ServerName, McpServer),
  defaultMode: ModeSlug,
  coordination: z.enum(["auto", "ask", "off"]),
  /** Seconds after which an agent's question is answered with its first suggestion; for ever when not given. */
  autoAnswer: z.number().positive(),
  todoList: z.boolean(),
  disabledTools: z.array(z.string()),
  /** Above `maxParts` simple commands in one text a person is asked. */
  commands: z.strictObject({ maxParts: z.number().int().positive().optional() }),
  /** Conversations are kept within what their model can read, unless `auto` is off; `model` sums them up. */
  compaction: z.strictObject({ auto: z.boolean().optional(), model: NamedModel.optional() }),
  /** Commands run in a sandbox; where none works they are not run. */
  sandbox: z.enum(["on", "off"]),
  /** Variables of the daemon's environment that commands get besides the harmless ones. */
  passEnv: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of a variable")),
  experiments: z.record(z.string(), z.boolean()),
  network: z.enum(["on", "off"]),
  /** A libSQL server instead of a file; `authToken` may be `{env:NAME}`. */
  database: z.strictObject({
    url: z.string().regex(/^(https?|wss?|libsql):/, "an address of a libSQL server"),
    authToken: z.string().optional(),
  }),
  retention: z.strictObject({
    /** How many daily copies of the store are kept; 7 when not given, 0 makes none. */
    backups: z.number().int().nonnegative().optional(),
    /** Archived sessions that nothing happened in for so many days are removed; never when not given. */
    archivedDays: z.number().int().positive().optional(),
  }),
  /** How a model is asked again that is overloaded, limits the rate or cannot be reached. */
  retries: z.strictObject({
    /** How often a step is tried in all; 10 when not given, 1 never tries again. */
    attempts: z.number().int().positive().optional(),
    /** Seconds before the second attempt, doubled before each further one up to a minute; 1 when not given. */
    firstWait: z.number().nonnegative().optional(),
    /** Seconds that a provider may ask to wait; 600 when not given. One that asks for more fails the turn. */
    longestWait: z.number().positive().optional(),
  }),
  limits: z.strictObject({
    steps: z.number().int().positive().optional(),
    /** How many subtasks of one session run at once; 4 when not given. */
    children: z.number().int().positive().optional(),
    /** How many levels of subtasks there may be below a session of the user; 5 when not given. */
    childDepth: z.number().int().positive().optional(),
    /** US dollars a session may cost before it asks. */
    cost: z.number().positive().optional(),
    /** US dollars all sessions together may cost in a day before they ask. */
    costPerDay: z.number().positive().optional(),
    /** Megabytes of results that a turn may read before it asks. */
    output: z.number().positive().optional(),
    /** Minutes a turn may work before it asks. */
    minutes: z.number().positive().optional(),
    /** Processes that a command may have at once, with all it starts, before it is ended; 2,000 when not given. */
    commandProcesses: z.number().int().positive().optional(),
    /** Megabytes of memory that a command may take so; four fifths of the machine's when not given. */
    commandMemory: z.number().positive().optional(),
  }),
} as const;

/** Every value is optional in the file; this is what holds where it is silent. */
export type Config = { [K in keyof typeof configSections]?: z.infer<(typeof configSections)[K]> };

/** The rules of a table, in its order, each with its keys in the table. */
export const rulesFromTable = (table: z.infer<typeof RuleTable>): { rule: Rule; location: string[] }[] =>
  Object.entries(table).flatMap(([action, entry]) =>
    typeof entry === "string"
      ? [{ rule: { action, resource: "*", effect: entry }, location: [action] }]
      : Object.entries(entry).map(([resource, effect]) => ({ rule: { action, resource, effect }, location: [action, resource] })),
  );

/** Rules may hold expressions; one that is none is told where it stands. */
function expressed(context: z.core.ParsePayload<Rule[]>): void {
  context.value.forEach((rule, i) => {
    const fault = findInvalidRule([rule]);
    if (fault !== undefined) context.issues.push({ code: "custom", input: rule, path: [i, "resource"], message: fault });
  });
}

/** What may stand in config.jsonc, as a JSON Schema for editors. */
export const configJsonSchema = () => ({
  title: "Settings of Baton",
  ...z.toJSONSchema(z.strictObject({ $schema: z.string(), ...configSections }).partial(), { io: "input" }),
});
