import type { McpServer } from "@baton/core/protocol/config/mcp";
import type { Actor } from "@baton/core/protocol/request";
import type { WebSocket } from "ws";
import type { ImportOptions, ImportedRules } from "../config/import/import-rules.ts";
import type { Rule } from "@baton/core/protocol/rule";
import type { StoreEngine } from "@baton/core/protocol/connection/store-report";
import type { ForeignServers } from "../config/parse-foreign-servers.ts";
import type { LocalProvider } from "../config/edit/change-config.ts";
import type { RuleChange, ShownRule } from "../config/edit/change-rule.ts";
import type { formSettings, SettingPath } from "../config/edit/change-setting.ts";
import type { EditResult } from "../config/edit/edit-jsonc.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { ModeRegistry } from "../mode/mode-registry.ts";
import type { Endpoint } from "../mcp/endpoint/endpoint.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import type { PendingLogins } from "../mcp/connection/pending-logins.ts";
import type { ClientServers } from "../mcp/endpoint/client-mcp-servers.ts";
import type { EndpointProfiles } from "../mcp/endpoint/endpoint-profiles.ts";
import type { PromptFiles } from "../instructions/prompt-files.ts";
import type { ModeEditor } from "../mode/mode-editor.ts";
import type { ModeFileText } from "../mode/read-mode-file.ts";
import type { ValidatedFile } from "../mode/validate-modes.ts";
import type { PluginUse } from "../plugin/plugin-enablement.ts";
import type { PluginSetting } from "@baton/core/protocol/config/plugin";
import type { InstalledPlugin } from "../plugin/load-installed-plugin.ts";
import type { Plugins } from "../plugin/plugins.ts";
import type { ModelRegistry } from "../model/model-registry.ts";
import type { CommandMonitor } from "../system/commands/background-commands.ts";
import type { ReadBackgroundCommands } from "../store/read-background-commands.ts";
import type { ReadAudit } from "../store/audit/read-audit.ts";
import type { SearchSessions } from "../store/search/search-sessions.ts";
import type { UsageLedger } from "../store/usage-ledger.ts";
import type { ApiKeys } from "../model/api-keys.ts";
import type { EditorDiagnostics } from "../language/checks/editor-diagnostics.ts";
import type { EditorBuffers } from "../system/files/editor-buffers.ts";
import type { FileFinder } from "../system/files/file-finder.ts";
import type { Uploads } from "../system/files/uploads.ts";
import type { SharedDependencies } from "../session/session-dependencies.ts";
import type { Sessions } from "../session/sessions.ts";
import type { PageLogin } from "./http/page-login.ts";
import type { EditorWindows } from "./editor-windows.ts";
import type { Places } from "../place/places.ts";
import type { SessionSummaries } from "../session/history/session-summaries.ts";
import type { WorkspaceDecisions } from "../session/workspace/workspace-decisions.ts";
import type { ModelCatalogService } from "../composition/api/refresh-model-catalog.ts";
import type { ExpandPrompt } from "../composition/api/expand-prompt.ts";

type FormSettings = ReturnType<typeof formSettings>;

/** Everything that procedures may reach. `composition/api-services.ts` builds it once, when the daemon starts to listen. */
export type ApiServices = {
  sessions: Sessions;
  /** Searches the texts of all sessions. */
  search: SearchSessions;
  /** Reads who allowed or denied what. */
  audit: ReadAudit;
  summaries: SessionSummaries;
  /** The background commands of all sessions. */
  commands: { read: ReadBackgroundCommands; monitor: CommandMonitor };
  workspaces: WorkspaceDecisions;
  places: Places;
  /** The services that sessions use. */
  services: SharedDependencies;
  /** Reads what Baton knows about a folder and what its files say now. Returns the folder's real path. */
  loadWorkspace: (cwd: string) => Promise<string>;
  models: {
    registry: ModelRegistry;
    catalog: ModelCatalogService;
    /** The providers that Baton knows by name. A local one needs no key. */
    providers: readonly { name: string; local: boolean; baseUrl?: string | undefined }[];
    /** The services for web searches that need a key. */
    searchServices: readonly string[];
    keys: Pick<ApiKeys, "set" | "remove"> & {
      /** Stored keys and those in the environment. `name` is the name of the environment variable. */
      known: () => { provider: string; place: "environment" | "keychain" | "file"; name?: string }[];
    };
  };
  usage: { since: UsageLedger["since"]; today: () => Promise<number> };
  modes: {
    registry: ModeRegistry;
    editor: ModeEditor;
    validate: (cwd: string, files: readonly ModeFileText[]) => Promise<ValidatedFile>;
  };
  mcp: {
    servers: ServerManager;
    logins: PendingLogins;
    clientServers: ClientServers;
    profiles: EndpointProfiles;
    endpoint: Endpoint;
    parseServers: (text: string) => Promise<ForeignServers>;
  };
  config: {
    now: () => LoadedConfig;
    schema: () => object;
    /** Reads the config again if its file has changed. */
    refresh: () => Promise<void>;
    /** Not written when the config defines its permissions in a form that only the user can extend. */
    addRules: (rules: readonly Rule[]) => Promise<EditResult>;
    /** Adds a rule after all others. Not written if the config's table of rules has no place for it. */
    appendRule: (rule: Rule) => Promise<EditResult>;
    /** Changes a rule of the user's config, or removes it if `to` is undefined. */
    changeRule: (rule: ShownRule, to: RuleChange | undefined) => Promise<EditResult>;
    importRules: (options: ImportOptions) => ImportedRules | undefined;
    changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<EditResult>;
    setModeToolset: (mode: string, toolset: string | undefined) => Promise<EditResult>;
    /** The settings that a form can edit, with their JSON Schema. */
    form: () => FormSettings;
    changeSetting: (setting: SettingPath, value: unknown) => Promise<EditResult>;
    addLocalProvider: (provider: LocalProvider) => Promise<EditResult>;
  };
  /** The plugins, and the setting that says which are used. */
  plugins: {
    installed: Plugins & { use: (name: string, workspace: string) => PluginUse };
    set: (name: string, on: PluginSetting | undefined) => Promise<EditResult>;
    /** Removes the logins of a plugin's servers. */
    forgetLogins: (plugin: InstalledPlugin) => Promise<void>;
  };
  prompts: { guidance: PromptFiles; expand: ExpandPrompt };
  /** Gives a page its token, and checks tokens that pages present. */
  auth: { login: PageLogin; acceptsToken: (token: string) => Promise<boolean> };
  /** Copies the sample project. Undefined where the demo is not installed. */
  demo: { project: () => Promise<string | undefined> };
  /** Finds files of a workspace by name. */
  files: FileFinder;
  uploads: Uploads;
  editor: { buffers: EditorBuffers; diagnostics: EditorDiagnostics; windows: EditorWindows };
  daemon: {
    status: (workspace?: string) => DaemonStatus;
    /** The installed language servers for the code of a workspace. */
    languageServers: (workspace: string) => InstalledServer[];
    stop: () => void;
  };
  /** The folder of the built page. */
  page: string;
};

/** A language server that is installed. `where`: in the project or on the PATH. */
type InstalledServer = { name: string; file: string; where: "project" | "path" };

/** How many sockets are open, and how many bytes are queued for them. */
export type SocketUsage = { open: number; buffered: number };

/** The status of the daemon, without secrets. Times are epoch milliseconds. */
export type DaemonStatus = {
  pid: number;
  bootId: string;
  port: number;
  protocol: number;
  version: string;
  /** The build of this version. Undefined when the daemon runs from its sources. */
  build?: string | undefined;
  startedAt: number;
  home: string;
  /** The folder of the user's settings. */
  config: string;
  openSessions: number;
  connections: SocketUsage;
  /** The SQLite version of a local store. Null when the store is on a server. */
  engine: StoreEngine | null;
  memory: number;
  /** The mode of new sessions, unless the user or a project chooses another. */
  defaultMode: string;
  diagnostics: LoadedConfig["diagnostics"];
  /** Why the sandbox that the settings want does not work on this machine, as the end of a sentence. Undefined if it works or is off. */
  noSandbox?: string | undefined;
  /** Why commands cannot have a terminal, as a sentence. Undefined: they can. */
  noTerminals?: string | undefined;
};

/** The context of one connection. Streams wait for its socket to drain. `actor` is undefined until the client has authenticated. */
export type ApiContext = ApiServices & { actor: Actor | undefined; socket: WebSocket };
