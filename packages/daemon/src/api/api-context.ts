import type { McpServer } from "@baton/core/protocol/mcp";
import type { Actor } from "@baton/core/protocol/request";
import type { WebSocket } from "ws";
import type { ImportOptions, ImportedRules } from "../config/import/import-rules.ts";
import type { Rule } from "@baton/core/protocol/rule";
import type { StoreEngine } from "@baton/core/protocol/store-report";
import type { ForeignServers } from "../config/parse-foreign-servers.ts";
import type { EditResult } from "../config/edit-jsonc.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { ModeRegistry } from "../mode/mode-registry.ts";
import type { Endpoint } from "../mcp/endpoint/endpoint.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import type { PendingLogins } from "../mcp/connection/pending-logins.ts";
import type { ClientServers } from "../mcp/endpoint/client-servers.ts";
import type { EndpointProfiles } from "../mcp/endpoint/endpoint-profiles.ts";
import type { Guidance } from "../instructions/guidance.ts";
import type { ModeEditor } from "../mode/mode-editor.ts";
import type { ModeFileText } from "../mode/read-file.ts";
import type { ValidatedFile } from "../mode/validate-modes.ts";
import type { ModelRegistry } from "../model/model-registry.ts";
import type { Spending } from "../store/usage-ledger.ts";
import type { ApiKeys } from "../model/api-keys.ts";
import type { EditorBuffers } from "../system/files/editor-buffers.ts";
import type { Uploads } from "../system/files/uploads.ts";
import type { SharedDependencies } from "../session/session-dependencies.ts";
import type { Sessions } from "../session/sessions.ts";
import type { PageLogin } from "./http/page-login.ts";
import type { EditorWindows } from "./editor-windows.ts";
import type { Workspaces } from "../session/workspaces.ts";
import type { ExpandPrompt } from "../composition/expand-prompt.ts";

/** What procedures may reach. Made once by the world. */
export type ApiServices = {
  sessions: Sessions;
  workspaces: Workspaces;
  parts: SharedDependencies;
  catalog: ModelRegistry;
  usedSince: Spending["since"];
  spentToday: () => Promise<number>;
  keys: Pick<ApiKeys, "set" | "remove"> & {
    /** Those in the environment as well, by the name of the variable. */
    known: () => { provider: string; place: "environment" | "keychain" | "file"; name?: string }[];
  };
  modes: ModeRegistry;
  servers: ServerManager;
  profiles: EndpointProfiles;
  endpoint: Endpoint;
  logins: PendingLogins;
  lent: ClientServers;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<EditResult>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<EditResult>;
  readServers: (text: string) => Promise<ForeignServers>;
  modeEditor: ModeEditor;
  guidance: Guidance;
  expand: ExpandPrompt;
  validateModes: (cwd: string, files: readonly ModeFileText[]) => Promise<ValidatedFile>;
  /** Reads what is remembered of a folder and what its files say now, and gives its real path. */
  look: (cwd: string) => Promise<string>;
  config: () => LoadedConfig;
  configSchema: () => object;
  /** Reads the config if its file is another than the one that was read. */
  lookAtConfig: () => Promise<void>;
  importRules: (given: ImportOptions) => ImportedRules | undefined;
  /** Not written: the config has its rules in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<EditResult>;
  status: (workspace?: string) => DaemonStatus;
  stop: () => void;
  /** How a page gets its token, and whether one that it shows is such a token. */
  login: PageLogin;
  acceptsToken: (token: string) => Promise<boolean>;
  uploads: Uploads;
  buffers: EditorBuffers;
  windows: EditorWindows;
  /** The folder of the built page. */
  page: string;
};

/** How many sockets are open, and how many bytes wait for them to drain. */
export type SocketUsage = { open: number; buffered: number };

/** How the daemon stands; no secrets in it. Times are epoch milliseconds. */
export type DaemonStatus = {
  pid: number;
  bootId: string;
  port: number;
  protocol: number;
  version: string;
  /** Which build of its version it is; undefined where it does not run from its bundle. */
  build?: string | undefined;
  startedAt: number;
  home: string;
  /** The folder of the person's settings. */
  config: string;
  openSessions: number;
  connections: SocketUsage;
  /** What the store is read and written with; null where it is on a server. */
  engine: StoreEngine | null;
  memory: number;
  /** The mode of sessions that nobody chose one for, where no project says otherwise. */
  defaultMode: string;
  diagnostics: LoadedConfig["diagnostics"];
};

/** One connection: who it is, and its socket, so that a stream can wait for it to drain. */
export type ApiContext = ApiServices & { actor: Actor | undefined; socket: WebSocket };
