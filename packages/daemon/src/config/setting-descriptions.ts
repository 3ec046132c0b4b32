import { keyActionNames, keyActions, type KeyAction } from "@baton/core/terminal/key-actions";
import { keyLabel, parseKeyName } from "@baton/core/terminal/key-name";
import type * as z from "zod";

/** The documentation of a setting. `default` says what happens without it. */
type SettingDescription = { about: string; default?: string };

const keyDescription = (action: KeyAction): SettingDescription => ({
  about: keyActions[action].about,
  default: keyActions[action].keys.map((key) => keyLabel(parseKeyName(key) ?? key)).join(", "),
});

/**
 * All settings by their path. `*` stands for a name that the user chooses. Editors show these texts through the JSON Schema, and
 * `npm run docs` writes them to the reference.
 */
export const settingDescriptions: Readonly<Record<string, SettingDescription>> = {
  $schema: { about: "The address of a JSON Schema for your editor. `baton config schema` prints the schema." },
  model: {
    about: "The model of new sessions, as `provider/model`.",
    default: "none: a session asks you to choose. `BATON_MODEL` takes precedence",
  },
  fallbackModels: { about: "Models that replace one that keeps failing, in this order, until the end of the turn.", default: "none" },
  smallModel: { about: "The model that names sessions.", default: "a session is named after its first prompt" },
  embeddingModel: {
    about: "The embedding model that orders the results of `codebase_search` by their meaning. Its provider gets excerpts of files.",
    default: "words and symbols alone decide",
  },
  providers: { about: "Model providers by name.", default: "the known providers, once they have a key" },
  "providers.*.kind": { about: "The provider's protocol." },
  "providers.*.baseUrl": { about: "The address of the service. Required for `openai-compatible`.", default: "the provider's own" },
  "providers.*.apiKey": { about: "The key. `{env:NAME}` stands for a variable.", default: "the provider's variable, then the stored key" },
  "providers.*.headers": { about: "Additional headers of every request.", default: "none" },
  "providers.*.region": { about: "The region, for `bedrock`.", default: "none" },
  "providers.*.resource": { about: "The resource, for `azure`.", default: "none" },
  "providers.*.apiVersion": { about: "The version of the API, for `azure`.", default: "none" },
  "providers.*.timeoutMs": {
    about: "The milliseconds that the provider may be silent. Keep-alive messages do not count.",
    default: "120,000 before the reply, 60,000 within it",
  },
  "providers.*.options": { about: "Additional options of every request, in the provider's own format.", default: "none" },
  "providers.*.models": { about: "Facts about models, in the format of models.dev. They replace Baton's own facts.", default: "none" },
  "providers.*.models.*.name": { about: "The name to show." },
  "providers.*.models.*.tool_call": { about: "Whether the model can call tools." },
  "providers.*.models.*.reasoning": { about: "Whether the model reasons before it answers." },
  "providers.*.models.*.interleaved": { about: "The field in which the model sends its reasoning as text and expects it back." },
  "providers.*.models.*.modalities": { about: "The kinds of content that the model reads and writes." },
  "providers.*.models.*.modalities.input": { about: "The kinds that it reads, such as `text`, `image` and `pdf`." },
  "providers.*.models.*.modalities.output": { about: "The kinds that it writes." },
  "providers.*.models.*.cost": { about: "Prices in US dollars per million tokens. Without a price, cost limits cannot count the model." },
  "providers.*.models.*.cost.input": { about: "The price of input." },
  "providers.*.models.*.cost.output": { about: "The price of output." },
  "providers.*.models.*.cost.cache_read": { about: "The price of input from the provider's cache." },
  "providers.*.models.*.cost.cache_write": { about: "The price of writing input to the provider's cache." },
  "providers.*.models.*.cost.tiers": { about: "Other prices above a size of the input." },
  "providers.*.models.*.limit": { about: "Limits in tokens." },
  "providers.*.models.*.limit.context": { about: "The maximum of input and output together." },
  "providers.*.models.*.limit.input": { about: "The maximum of input." },
  "providers.*.models.*.limit.output": { about: "The maximum of output." },
  "providers.*.models.*.contextWindow": { about: "A short name for `limit.context`." },
  "providers.*.models.*.maxOutput": { about: "A short name for `limit.output`." },
  "providers.*.models.*.effort": { about: "How much the model reasons.", default: "the provider's" },
  "providers.*.models.*.options": { about: "Additional options of this model's requests, in the provider's own format.", default: "none" },
  modes: { about: "Changes of modes, by slug.", default: "none" },
  "modes.*.name": { about: "Another name for a built-in mode." },
  "modes.*.description": { about: "Another description for a built-in mode." },
  "modes.*.whenToUse": { about: "Other advice for agents that delegate, for a built-in mode." },
  "modes.*.roleDefinition": { about: "Another role for a built-in mode." },
  "modes.*.customInstructions": { about: "Other instructions for a built-in mode." },
  "modes.*.model": { about: "The model of sessions in this mode.", default: "the configured model" },
  "modes.*.permissions": { about: "Further rules of the mode. They can also give it tools that its groups lack.", default: "none" },
  "modes.*.toolset": { about: "The toolset of sessions in this mode that have none of their own.", default: "all MCP tools" },
  permissions: { about: "Rules, as a list or as a table of actions.", default: "reading is allowed, everything else asks" },
  mcpServers: { about: "MCP servers by name.", default: "none" },
  "mcpServers.*.command": { about: "The program to start. A server has either a command or a url." },
  "mcpServers.*.args": { about: "The arguments of the program.", default: "none" },
  "mcpServers.*.env": { about: "Variables of the program. `${NAME}` takes a value from the daemon's environment.", default: "none" },
  "mcpServers.*.cwd": { about: "The folder in which the program starts.", default: "the workspace" },
  "mcpServers.*.type": {
    about: "The transport. `sse` is for servers that speak HTTP with server-sent events only.",
    default: "`stdio` for a command, `http` for a url",
  },
  "mcpServers.*.url": { about: "The address of the server." },
  "mcpServers.*.headers": { about: "Headers of every request. `${NAME}` stands for a variable.", default: "none" },
  "mcpServers.*.timeoutMs": { about: "The milliseconds that a call may be silent.", default: "60,000" },
  "mcpServers.*.disabled": { about: "Whether Baton ignores the server.", default: "`false`" },
  "mcpServers.*.perPlace": {
    about: "Whether each place has a process of its own, because the server works on the files of one folder.",
    default: "`false`",
  },
  "mcpServers.*.sandbox": {
    about: "Runs the program in the sandbox. It can read the workspace and its folder, and has no other access than the one that follows.",
    default: "outside of the sandbox",
  },
  "mcpServers.*.sandbox.reads": { about: "More files and folders that it can read: relative to its folder, or `~/…`.", default: "none" },
  "mcpServers.*.sandbox.writes": { about: "Files and folders that it can change.", default: "none" },
  "mcpServers.*.sandbox.hosts": {
    about: "Hosts that it can reach, such as `api.example.com`, `*.example.com` or `example.com:8443`.",
    default: "none",
  },
  defaultMode: { about: "The mode of new sessions.", default: "`code`" },
  coordination: {
    about:
      "Decides what happens when a mode lacks a tool: `auto` lets the coordinator decide, `ask` asks you first, `off` disables the coordinator.",
    default: "`auto`",
  },
  autoAnswer: {
    about: "The seconds after which Baton answers an agent's question with its first suggestion. It never answers approvals.",
    default: "never",
  },
  todoList: { about: "Whether the agent keeps a todo list.", default: "`true`" },
  disabledTools: { about: "Names of tools that no mode offers.", default: "none" },
  codebaseIndex: {
    about: "Whether Baton indexes the code of workspaces, for `codebase_search` and the map of the repository.",
    default: "`true`",
  },
  repositoryMap: {
    about:
      "The tokens of the map of the repository, which names the files and symbols that matter for a session's first prompt. `0` turns it off.",
    default: "1,000",
  },
  commands: { about: "Limits of shell commands." },
  "commands.maxParts": { about: "The number of parts above which a command asks.", default: "200" },
  compaction: { about: "Compaction of long conversations." },
  "compaction.auto": { about: "Whether Baton compacts a conversation that becomes too long for its model.", default: "`true`" },
  "compaction.model": { about: "The model that writes summaries.", default: "the session's model" },
  sandbox: {
    about:
      "`auto` runs commands about which Baton would ask in a sandbox instead, where it works. `on` runs every command in it, and refuses commands where it does not work.",
    default: "`auto`",
  },
  environments: { about: "The tools that give commands their environment, by folder." },
  passEnv: {
    about: "Names of variables of the daemon's environment that commands get in addition to harmless ones.",
    default: "none",
  },
  experiments: { about: "Experiments by name. `true` enables one.", default: "none" },
  network: {
    about:
      "`off` denies `fetch_url`, `web_search` and servers with an address, and sandboxed commands have no network. `on` lets sandboxed commands reach all public hosts. Otherwise they reach only the hosts that rules allow, and Baton asks about others.",
    default: "by host",
  },
  "network.allow": {
    about: "Hosts that sandboxed commands reach without a question, such as `example.com`, `*.example.com` or `example.com:8443`.",
    default: "the registries of the project's package managers",
  },
  "network.deny": { about: "Hosts that sandboxed commands never reach.", default: "none" },
  "network.secrets": {
    about:
      "Variables of the daemon's environment, each with the hosts that receive it. Sandboxed commands get a placeholder, and Baton fills in the value in headers of requests to these hosts over TLS.",
    default: "none",
  },
  webSearch: { about: "The service with which agents search the web. Without one they have no `web_search`.", default: "none" },
  "webSearch.service": { about: "`exa`, `brave`, `tavily` or `searxng`." },
  "webSearch.key": { about: "The key. `{env:NAME}` stands for a variable.", default: "the service's variable, then the stored key" },
  "webSearch.url": { about: "The address of the service, without its path. Required for `searxng`.", default: "the service's own" },
  database: { about: "A libSQL server for the store.", default: "a local file" },
  "database.url": { about: "The address of the server." },
  "database.authToken": { about: "The token of the server. `{env:NAME}` stands for a variable.", default: "none" },
  retention: { about: "How long Baton keeps copies of the store and archived sessions." },
  "retention.backups": { about: "The number of daily copies of the store. 0 makes none.", default: "7" },
  "retention.archivedDays": { about: "The days without activity after which Baton deletes an archived session.", default: "never" },
  retries: { about: "How Baton repeats a request to a model after a temporary failure." },
  "retries.attempts": { about: "The maximum number of attempts of a step. 1 disables retries.", default: "10" },
  "retries.firstWait": { about: "The seconds before the second attempt. They double up to a minute.", default: "1" },
  "retries.longestWait": { about: "The longest wait in seconds that a provider may ask for.", default: "600" },
  terminal: { about: "The terminal client." },
  "terminal.notifications": {
    about:
      "How Baton notifies you when the terminal is not in focus: `auto` uses the terminal's notifications, or the bell if it has none; `bell`; `off`.",
    default: "`auto`",
  },
  "terminal.title": { about: "Whether the title of the terminal shows the number of open requests.", default: "`true`" },
  "terminal.keys": {
    about:
      "The keys of actions: one key such as `ctrl+g` or `f5`, a list of keys, or `[]` for none. `baton help keys` shows the keys that are in effect.",
    default: "the keys below",
  },
  ...Object.fromEntries(keyActionNames.map((action) => [`terminal.keys.${action}`, keyDescription(action)])),
  "terminal.vim": { about: "Whether the prompt has the keys of vi: normal, insert and visual mode.", default: "`false`" },
  "terminal.statusLine": { about: "Your own status line in the terminal.", default: "Baton's own" },
  "terminal.statusLine.command": {
    about:
      "A shell command that gets the state of the session as JSON on its standard input. The status line shows the first line of its output.",
  },
  lsp: {
    about: "The language servers that check edits, by name. `false` turns all of them off.",
    default: "the known servers that are installed",
  },
  "lsp.*.disabled": { about: "`true` turns this server off.", default: "`false`" },
  "lsp.*.command": { about: "The program and its arguments. Baton looks for a name in the project first, then on the `PATH`." },
  "lsp.*.extensions": { about: "The endings of the files that it checks, such as `.ts`.", default: "those of the known server" },
  "lsp.*.env": { about: "Additional variables of the server.", default: "none" },
  "lsp.*.initialization": { about: "The server's own options, which it receives when it starts.", default: "none" },
  formatter: { about: "The formatters that run after an edit, by name. Only those that are named here run.", default: "none" },
  "formatter.*.disabled": { about: "`true` turns this formatter off.", default: "`false`" },
  "formatter.*.command": { about: "The program and its arguments. `$FILE` stands for the file.", default: "that of the known formatter" },
  "formatter.*.extensions": { about: "The endings of the files that it formats, such as `.ts`.", default: "those of the known formatter" },
  "formatter.*.environment": { about: "Additional variables of the formatter.", default: "none" },
  checks: { about: "How Baton checks the edits of an agent." },
  "checks.waitMs": { about: "The milliseconds that Baton waits for language servers after the edits of a reply.", default: "2,000" },
  "checks.most": { about: "The new errors that the model reads after the edits of a reply.", default: "10" },
  "checks.commands": {
    about:
      "The commands that check the edits of an agent. `command`: `$FILES` in it stands for the changed files. `files`: wildcards of the files whose change runs it, all by default. `after`: `turn` (the default) or `edit`. `timeout`: seconds, 120 by default. A trusted project may name some as well.",
    default: "none",
  },
  "checks.continue": { about: "How often commands that fail may continue a turn that would end.", default: "2" },
  hooks: { about: "Commands and addresses that run at events of sessions, in the format of Claude Code.", default: "none" },
  plugins: {
    about:
      "Whether each installed plugin is used. `true`: everywhere. `false`: nowhere. A list of modes: only in these. A plugin without an entry is used where a trusted project asks for it.",
    default: "none",
  },
  "hooks.from": {
    about: "The agents whose own files of hooks Baton reads as well: `claude` for `settings.json`, `codex` for `hooks.json`.",
    default: "none",
  },
  "hooks.managedOnly": { about: "Run only hooks of the managed config. Has an effect in the managed config only.", default: "`false`" },
  "hooks.PreToolUse": { about: "Hooks before a call that rules do not deny.", default: "none" },
  "hooks.PermissionRequest": { about: "Hooks before Baton asks about a call.", default: "none" },
  "hooks.PostToolUse": { about: "Hooks after a call that succeeded.", default: "none" },
  "hooks.PostToolUseFailure": { about: "Hooks after a call that failed.", default: "none" },
  "hooks.UserPromptSubmit": { about: "Hooks before a prompt reaches the model.", default: "none" },
  "hooks.Stop": { about: "Hooks before a turn is completed.", default: "none" },
  "hooks.SubagentStop": { about: "Hooks before the turn of a subtask is completed.", default: "none" },
  "hooks.SessionStart": { about: "Hooks before the first prompt of a session.", default: "none" },
  "hooks.SessionEnd": { about: "Hooks when a session is archived.", default: "none" },
  "hooks.PreCompact": { about: "Hooks before a conversation is compacted.", default: "none" },
  "hooks.PostCompact": { about: "Hooks after a conversation was compacted.", default: "none" },
  "hooks.Notification": { about: "Hooks when Baton asks the user.", default: "none" },
  "hooks.ModeChange": { about: "Hooks after the mode has changed.", default: "none" },
  "hooks.RequestOpened": { about: "Hooks when a request opens.", default: "none" },
  limits: { about: "Limits of turns, sessions and commands." },
  "limits.steps": { about: "The steps of a turn before it asks.", default: "200" },
  "limits.children": { about: "The subtasks of one session that run at once.", default: "4" },
  "limits.childDepth": { about: "The levels of subtasks below a session.", default: "5" },
  "limits.cost": { about: "The US dollars that a session with its subtasks may cost before it asks.", default: "none" },
  "limits.costPerDay": { about: "The US dollars that all sessions may cost in one day before they ask.", default: "none" },
  "limits.output": { about: "The megabytes of results that a turn may read before it asks.", default: "none" },
  "limits.minutes": { about: "The minutes that a turn may work before it asks. Waiting for you does not count.", default: "none" },
  "limits.commandProcesses": { about: "The processes of one command. Baton ends a command beyond it.", default: "2,000" },
  "limits.commandMemory": { about: "The megabytes of one command. Baton ends a command beyond it.", default: "four fifths of the machine" },
};

type Schema = z.core.JSONSchema.JSONSchema;

/** Every setting of the schema with its path. `*` stands for a name that the user chooses. */
export function settingPaths(schema: Schema, parent = ""): [path: string, schema: Schema][] {
  const switchable = withoutOff(schema);
  if (switchable) return settingPaths(switchable, parent);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => nested(value, parent === "" ? name : `${parent}.${name}`));
  const chosen = schema.additionalProperties;
  return typeof chosen === "object" ? [...own, ...settingPaths(chosen, `${parent}.*`)] : own;
}

/** The settings of a section that can also be `false` or one of a few words. */
function withoutOff({ anyOf = [] }: Schema): Schema | undefined {
  const [off, on] = anyOf;
  const isSimple = typeof off === "object" && (off.const === false || off.enum !== undefined);
  return anyOf.length === 2 && isSimple && typeof on === "object" ? on : undefined;
}

const nested = (schema: z.core.JSONSchema._JSONSchema, path: string): [string, Schema][] =>
  typeof schema === "boolean" ? [] : [[path, schema], ...settingPaths(schema, path)];

/** Adds the description of each setting to the schema. */
export function withDescriptions<S extends Schema>(schema: S): S {
  for (const [path, setting] of settingPaths(schema)) {
    const description = settingDescriptions[path];
    if (description) setting.description = descriptionText(description);
  }
  return schema;
}

const descriptionText = ({ about, default: otherwise }: SettingDescription): string =>
  otherwise === undefined ? about : `${about} Default: ${otherwise}.`;
