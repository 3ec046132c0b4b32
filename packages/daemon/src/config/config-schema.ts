import { Rule } from "@baton/core/protocol/rule";
import { McpServer, ServerName } from "@baton/core/protocol/config/mcp";
import { Effort, ModelEntry } from "@baton/core/protocol/config/model";
import { ModelChoice, ModeSlug } from "@baton/core/protocol/mode";
import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { SearchServiceName } from "@baton/core/protocol/web-search-service";
import { PluginModes, PluginName } from "@baton/core/protocol/config/plugin";
import { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import { ToolsetName } from "@baton/core/protocol/toolset/toolset-profile";
import { closestMatch } from "@baton/core/text/closest-match";
import { keyActionNames, type KeyAction } from "@baton/core/terminal/key-actions";
import { findKeyProblems, type KeySettings } from "@baton/core/terminal/key-bindings";
import { HookSection } from "./hook-section.ts";
import { withDescriptions } from "./setting-descriptions.ts";
import * as z from "zod";

const NamedModel = z.string().regex(/^[^/]+\/.+$/, "write a model as provider/model");

/** A model of a provider, in the format of models.dev or with short names. `options` are the provider's own. */
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
    /** For Bedrock. */
    region: z.string().optional(),
    /** For Azure. */
    resource: z.string().optional(),
    apiVersion: z.string().optional(),
    /** The maximum silence of the provider, in milliseconds. */
    timeoutMs: z.number().int().positive().optional(),
    /** Sent with every request, in the provider's own format. */
    options: z.record(z.string(), z.json()).optional(),
    models: z.record(z.string(), OwnModel).default({}),
  })
  .refine(({ kind, baseUrl }) => kind !== "openai-compatible" || baseUrl !== undefined, {
    path: ["baseUrl"],
    message: "an openai-compatible provider needs a baseUrl",
  });

/** A list of rules whose expressions are valid. */
const RuleList = z.array(Rule).check(expressed);
/** A table of actions, each with an effect or with a table of resources and effects. */
const RuleTable = z.record(z.string(), z.union([Rule.shape.effect, z.record(z.string(), Rule.shape.effect)]));

const ModeSettings = z.strictObject({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  whenToUse: z.string().optional(),
  roleDefinition: z.string().min(1).optional(),
  customInstructions: z.string().optional(),
  model: z.union([z.string(), ModelChoice]).optional(),
  permissions: z.union([RuleList, RuleTable.transform((table) => rulesFromTable(table).map(({ rule }) => rule))]).optional(),
  /** The toolset of sessions in this mode, unless the session has its own. */
  toolset: ToolsetName.optional(),
});

const Extension = z.string().regex(/^\./, "begin an extension with a dot");

/** A language server, with the names of opencode. A known server needs no `command`. */
const LanguageServer = z.strictObject({
  disabled: z.boolean().optional(),
  command: z.array(z.string().min(1)).min(1).optional(),
  extensions: z.array(Extension).optional(),
  env: z.record(z.string(), z.string()).optional(),
  initialization: z.record(z.string(), z.json()).optional(),
});

/** A formatter, with the names of opencode. `$FILE` in `command` stands for the file. */
const Formatter = z.strictObject({
  disabled: z.boolean().optional(),
  command: z.array(z.string().min(1)).min(1).optional(),
  extensions: z.array(Extension).optional(),
  environment: z.record(z.string(), z.string()).optional(),
});

/** A command that checks the edits of an agent. `$FILES` in it stands for the changed files. */
const CheckCommand = z.strictObject({
  command: z.string().trim().min(1).max(10_000),
  /** Wildcards as in rules. The check runs if a changed file matches one of them. */
  files: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
  after: z.enum(["edit", "turn"]).optional(),
  /** In seconds. */
  timeout: z.number().positive().max(600).optional(),
});

const KeyList = z.union([z.string(), z.array(z.string())]).optional();
/** The keys of the terminal's actions. An empty list leaves an action without a key. */
const Keys = z
  .strictObject(Object.fromEntries(keyActionNames.map((action) => [action, KeyList])) as Record<KeyAction, typeof KeyList>, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unknownActions(issue.keys) : undefined),
  })
  .check(assigned);

/** A host as `network` names it: `example.com`, `*.example.com` or `example.com:8443`. Without a port it means the ports of the web. */
const Host = z
  .string()
  .regex(
    /^(\*|(\*\.)?[\w-]+(\.[\w-]+)*)(:(\d{1,5}|\*))?$/,
    "write a host without a scheme or a path, such as example.com, *.example.com or example.com:8443",
  );

/** A host that receives a secret. A wildcard needs two labels behind it, because others could register a name below a single one. */
const SecretHost = Host.regex(
  /^(?!\*)|^\*\.[\w-]+\.[\w-]/,
  "name the hosts that receive the secret, such as api.example.com or *.example.com",
);

/** The name of a variable of the environment. */
const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "write the name of a variable");

/**
 * The sections of config.jsonc, which `setting-descriptions.ts` explains. Each is checked separately, so that one invalid section does not affect
 * the others.
 */
export const configSections = {
  model: NamedModel,
  fallbackModels: z.array(NamedModel),
  smallModel: NamedModel,
  embeddingModel: NamedModel,
  providers: z.record(z.string(), Provider),
  modes: z.record(z.string(), ModeSettings),
  permissions: z.union([RuleList, RuleTable]),
  mcpServers: z.record(ServerName, McpServer),
  hooks: HookSection,
  plugins: z.record(PluginName, z.union([z.boolean(), PluginModes])),
  defaultMode: ModeSlug,
  coordination: z.enum(["auto", "ask", "off"]),
  autoAnswer: z.number().positive(),
  todoList: z.boolean(),
  disabledTools: z.array(z.string()),
  codebaseIndex: z.boolean(),
  repositoryMap: z.number().int().nonnegative().max(20_000),
  commands: z.strictObject({ maxParts: z.number().int().positive().optional() }),
  compaction: z.strictObject({ auto: z.boolean().optional(), model: NamedModel.optional() }),
  sandbox: z.enum(["auto", "on", "off"]),
  passEnv: z.array(EnvName),
  environments: z.record(
    z.string().regex(/^(\/|[A-Za-z]:[\\/])/, "write the absolute path of a folder"),
    z.union([z.literal("none"), EnvironmentTool, z.array(EnvironmentTool)]),
  ),
  experiments: z.record(z.string(), z.boolean()),
  network: z.union([
    z.enum(["on", "off"]),
    z.strictObject({
      allow: z.array(Host).optional(),
      deny: z.array(Host).optional(),
      secrets: z.record(EnvName, z.array(SecretHost).min(1)).optional(),
    }),
  ]),
  webSearch: z
    .strictObject({ service: SearchServiceName, key: z.string().optional(), url: z.url({ protocol: /^https?$/ }).optional() })
    .refine(({ service, url }) => service !== "searxng" || url !== undefined, {
      path: ["url"],
      message: "searxng needs the url of your instance",
    }),
  database: z.strictObject({
    url: z.string().regex(/^(https?|wss?|libsql):/, "write the address of a libSQL server"),
    authToken: z.string().optional(),
  }),
  retention: z.strictObject({
    backups: z.number().int().nonnegative().optional(),
    archivedDays: z.number().int().positive().optional(),
  }),
  retries: z.strictObject({
    attempts: z.number().int().positive().optional(),
    firstWait: z.number().nonnegative().optional(),
    longestWait: z.number().positive().optional(),
  }),
  terminal: z.strictObject({
    notifications: z.enum(["auto", "bell", "off"]).optional(),
    title: z.boolean().optional(),
    keys: Keys.optional(),
    vim: z.boolean().optional(),
    statusLine: z.strictObject({ command: z.string().min(1) }).optional(),
  }),
  lsp: z.union([z.literal(false), z.record(z.string(), LanguageServer)]),
  formatter: z.union([z.literal(false), z.record(z.string(), Formatter)]),
  checks: z.strictObject({
    waitMs: z.number().int().nonnegative().max(60_000).optional(),
    most: z.number().int().positive().optional(),
    commands: z.array(CheckCommand).max(20).optional(),
    continue: z.number().int().nonnegative().max(20).optional(),
  }),
  limits: z.strictObject({
    steps: z.number().int().positive().optional(),
    children: z.number().int().positive().optional(),
    childDepth: z.number().int().positive().optional(),
    cost: z.number().positive().optional(),
    costPerDay: z.number().positive().optional(),
    output: z.number().positive().optional(),
    minutes: z.number().positive().optional(),
    commandProcesses: z.number().int().positive().optional(),
    commandMemory: z.number().positive().optional(),
  }),
} as const;

/** The content of the file. Every section is optional. */
export type Config = { [K in keyof typeof configSections]?: z.infer<(typeof configSections)[K]> };

/** The rules of a table in its order, each with its location in the table. */
export const rulesFromTable = (table: z.infer<typeof RuleTable>): { rule: Rule; location: string[] }[] =>
  Object.entries(table).flatMap(([action, entry]) =>
    typeof entry === "string"
      ? [{ rule: { action, resource: "*", effect: entry }, location: [action] }]
      : Object.entries(entry).map(([resource, effect]) => ({ rule: { action, resource, effect }, location: [action, resource] })),
  );

/** Reports rules with an invalid expression. */
function expressed(context: z.core.ParsePayload<Rule[]>): void {
  context.value.forEach((rule, i) => {
    const fault = findInvalidRule([rule]);
    if (fault !== undefined) context.issues.push({ code: "custom", input: rule, path: [i, "resource"], message: fault });
  });
}

/** Reports keys that do not exist or that two actions have. */
function assigned(context: z.core.ParsePayload<KeySettings>): void {
  for (const { path, message } of findKeyProblems(context.value))
    context.issues.push({ code: "custom", input: context.value, path, message });
}

function unknownActions(names: readonly string[]): string {
  const [name = ""] = names;
  const known = closestMatch(name, keyActionNames);
  return `There is no action ${JSON.stringify(name)}. ${known === undefined ? "`baton help keys` lists them" : `Did you mean "${known}"?`}`;
}

/** The JSON Schema of config.jsonc, for editors. */
export const configJsonSchema = () => ({
  title: "Settings of Baton",
  ...withDescriptions(z.toJSONSchema(z.strictObject({ $schema: z.string(), ...configSections }).partial(), { io: "input" })),
});
