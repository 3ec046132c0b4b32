import { Rule } from "@baton/core/protocol/rule";
import { McpServer, ServerName } from "@baton/core/protocol/config/mcp";
import { Effort, ModelEntry } from "@baton/core/protocol/config/model";
import { ModelChoice, ModeSlug } from "@baton/core/protocol/mode";
import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { SearchServiceName } from "@baton/core/protocol/search-service";
import { PluginModes, PluginName } from "@baton/core/protocol/config/plugin";
import { EnvironmentTool } from "@baton/core/protocol/config/environment";
import { ToolsetName } from "@baton/core/protocol/config/toolset";
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

/** The sections of config.jsonc. Each is checked separately, so that one invalid section does not affect the others. */
export const configSections = {
  model: NamedModel,
  /** Replace a model that fails repeatedly, in this order, until the end of the turn. */
  fallbackModels: z.array(NamedModel),
  /** The model that writes the titles of sessions. Without it the first prompt is the title. */
  smallModel: NamedModel,
  /** Orders the results of codebase_search by their meaning. */
  embeddingModel: NamedModel,
  providers: z.record(z.string(), Provider),
  modes: z.record(z.string(), ModeSettings),
  permissions: z.union([RuleList, RuleTable]),
  mcpServers: z.record(ServerName, McpServer),
  /** Commands and addresses that run at events of sessions, in the format of Claude Code. */
  hooks: HookSection,
  /** Whether each installed plugin is used: `true` everywhere, `false` nowhere, a list in these modes. Otherwise projects may ask for it. */
  plugins: z.record(PluginName, z.union([z.boolean(), PluginModes])),
  defaultMode: ModeSlug,
  coordination: z.enum(["auto", "ask", "off"]),
  /** The seconds after which Baton answers an agent's question with its first suggestion. Never by default. */
  autoAnswer: z.number().positive(),
  todoList: z.boolean(),
  disabledTools: z.array(z.string()),
  /** Whether Baton indexes the code of workspaces, for `codebase_search` and the map of the repository. On by default. */
  codebaseIndex: z.boolean(),
  /** The maximum number of tokens of the map of the repository in the system prompt. 1,000 by default; 0 turns it off. */
  repositoryMap: z.number().int().nonnegative().max(20_000),
  /** The user is asked about a command with more than `maxParts` simple commands. */
  commands: z.strictObject({ maxParts: z.number().int().positive().optional() }),
  /** Baton compacts conversations to fit the model unless `auto` is off. `model` writes the summary. */
  compaction: z.strictObject({ auto: z.boolean().optional(), model: NamedModel.optional() }),
  /**
   * `auto`: commands that would ask run in a sandbox instead, where it works. `on`: every command runs in it, and is refused where it does not
   * work. `off`: none does.
   */
  sandbox: z.enum(["auto", "on", "off"]),
  /** Variables of the daemon's environment that commands get, besides harmless ones. */
  passEnv: z.array(EnvName),
  /** The tools that give commands their environment, by absolute folder. Baton writes the user's answers here. */
  environments: z.record(
    z.string().regex(/^(\/|[A-Za-z]:[\\/])/, "write the absolute path of a folder"),
    z.union([z.literal("none"), EnvironmentTool, z.array(EnvironmentTool)]),
  ),
  experiments: z.record(z.string(), z.boolean()),
  /**
   * `off`: no network for tools, servers and sandboxed commands. `on`: sandboxed commands have the network of the machine. Otherwise they
   * reach the hosts that rules allow, and Baton asks about others.
   */
  network: z.union([
    z.enum(["on", "off"]),
    z.strictObject({
      allow: z.array(Host).optional(),
      deny: z.array(Host).optional(),
      /** Variables of the daemon's environment that sandboxed commands use without knowing their values, and the hosts that receive them. */
      secrets: z.record(EnvName, z.array(SecretHost).min(1)).optional(),
    }),
  ]),
  /** The service of the tool `web_search`. `key` may be `{env:NAME}`. `url`: another address than the usual one. */
  webSearch: z
    .strictObject({ service: SearchServiceName, key: z.string().optional(), url: z.url({ protocol: /^https?$/ }).optional() })
    .refine(({ service, url }) => service !== "searxng" || url !== undefined, {
      path: ["url"],
      message: "searxng needs the url of your instance",
    }),
  /** A libSQL server instead of a file. `authToken` may be `{env:NAME}`. */
  database: z.strictObject({
    url: z.string().regex(/^(https?|wss?|libsql):/, "write the address of a libSQL server"),
    authToken: z.string().optional(),
  }),
  retention: z.strictObject({
    /** The number of daily backups of the store. 7 by default; 0 turns them off. */
    backups: z.number().int().nonnegative().optional(),
    /** The days without changes after which archived sessions are deleted. Never by default. */
    archivedDays: z.number().int().positive().optional(),
  }),
  /** How Baton retries a model that is overloaded, rate-limited or unreachable. */
  retries: z.strictObject({
    /** The maximum number of attempts of a step. 10 by default; 1 turns retries off. */
    attempts: z.number().int().positive().optional(),
    /** The seconds before the second attempt. They double before each further attempt, up to a minute. 1 by default. */
    firstWait: z.number().nonnegative().optional(),
    /** The maximum seconds that a provider may ask to wait. 600 by default. A longer wait fails the turn. */
    longestWait: z.number().positive().optional(),
  }),
  /** The terminal client. `notifications`: how Baton calls a user who looks elsewhere. `title`: shows open requests in the title. */
  terminal: z.strictObject({
    notifications: z.enum(["auto", "bell", "off"]).optional(),
    title: z.boolean().optional(),
    keys: Keys.optional(),
    /** Whether the prompt has the keys of vi. */
    vim: z.boolean().optional(),
    /** The user's own command, whose first line the status line shows. */
    statusLine: z.strictObject({ command: z.string().min(1) }).optional(),
  }),
  /** The language servers that check edits. `false` turns all of them off. */
  lsp: z.union([z.literal(false), z.record(z.string(), LanguageServer)]),
  /** The formatters that run after an edit. Only those that are named here. */
  formatter: z.union([z.literal(false), z.record(z.string(), Formatter)]),
  checks: z.strictObject({
    /** How long Baton waits for language servers after the edits of a reply, in milliseconds. 2,000 by default. */
    waitMs: z.number().int().nonnegative().max(60_000).optional(),
    /** The maximum number of new errors that the model reads after the edits of a reply. 10 by default. */
    most: z.number().int().positive().optional(),
    /** The commands that check edits. */
    commands: z.array(CheckCommand).max(20).optional(),
    /** How often failing commands may continue a turn that would end. 2 by default. */
    continue: z.number().int().nonnegative().max(20).optional(),
  }),
  limits: z.strictObject({
    steps: z.number().int().positive().optional(),
    /** The maximum number of simultaneous subtasks of a session. 4 by default. */
    children: z.number().int().positive().optional(),
    /** The maximum depth of subtasks below a session of the user. 5 by default. */
    childDepth: z.number().int().positive().optional(),
    /** The US dollars that a session may cost before it asks. */
    cost: z.number().positive().optional(),
    /** The US dollars that all sessions together may cost in a day before they ask. */
    costPerDay: z.number().positive().optional(),
    /** The megabytes of results that a turn may read before it asks. */
    output: z.number().positive().optional(),
    /** The minutes that a turn may work before it asks. */
    minutes: z.number().positive().optional(),
    /** The maximum number of simultaneous processes of a command before Baton ends it. 2,000 by default. */
    commandProcesses: z.number().int().positive().optional(),
    /** The maximum memory of a command and its processes, in megabytes. Four fifths of the machine's memory by default. */
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
