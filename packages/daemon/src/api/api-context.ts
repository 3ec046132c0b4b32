import type { McpServer } from "@baton/core/protocol/mcp";
import type { Actor } from "@baton/core/protocol/request";
import type { WebSocket } from "ws";
import type { Given, Imported } from "../config/import/import-rules.ts";
import type { Rule } from "@baton/core/protocol/rule";
import type { StoreEngine } from "@baton/core/protocol/store-report";
import type { ForeignServers } from "../config/parse-foreign-servers.ts";
import type { Edited } from "../config/edit-jsonc.ts";
import type { Loaded } from "../config/load-config.ts";
import type { Catalogue } from "../mode/mode-registry.ts";
import type { Endpoint } from "../mcp/endpoint/endpoint.ts";
import type { Host } from "../mcp/server-manager.ts";
import type { Logins } from "../mcp/connection/pending-logins.ts";
import type { Lent } from "../mcp/endpoint/client-servers.ts";
import type { Profiles } from "../mcp/endpoint/endpoint-profiles.ts";
import type { Guidance } from "../instructions/guidance.ts";
import type { Editor } from "../mode/mode-editor.ts";
import type { GivenFile } from "../mode/read-file.ts";
import type { Validated } from "../mode/validate-modes.ts";
import type { Catalog } from "../model/model-registry.ts";
import type { Spending } from "../store/usage-ledger.ts";
import type { Keys } from "../model/api-keys.ts";
import type { Buffers } from "../system/files/editor-buffers.ts";
import type { Uploads } from "../system/files/uploads.ts";
import type { Parts } from "../session/session-dependencies.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Login } from "./http/page-login.ts";
import type { Windows } from "./editor-windows.ts";
import type { Workspaces } from "../session/workspaces.ts";
import type { ExpandPrompt } from "../composition/expand-prompt.ts";

/** What procedures may reach. Made once by the world. */
export type Served = {
  sessions: Sessions;
  workspaces: Workspaces;
  parts: Omit<Parts, "committed" | "children">;
  catalog: Catalog;
  usedSince: Spending["since"];
  spentToday: () => Promise<number>;
  keys: Pick<Keys, "set" | "remove"> & {
    /** Those in the environment as well, by the name of the variable. */
    known: () => { provider: string; place: "environment" | "keychain" | "file"; name?: string }[];
  };
  modes: Catalogue;
  servers: Host;
  profiles: Profiles;
  endpoint: Endpoint;
  logins: Logins;
  lent: Lent;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<Edited>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<Edited>;
  readServers: (text: string) => Promise<ForeignServers>;
  modeEditor: Editor;
  guidance: Guidance;
  expand: ExpandPrompt;
  validateModes: (cwd: string, files: readonly GivenFile[]) => Promise<Validated>;
  /** Reads what is remembered of a folder and what its files say now, and gives its real path. */
  look: (cwd: string) => Promise<string>;
  config: () => Loaded;
  configSchema: () => object;
  /** Reads the config if its file is another than the one that was read. */
  lookAtConfig: () => Promise<void>;
  importRules: (given: Given) => Imported | undefined;
  /** Not written: the config has its rules in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<Edited>;
  status: (workspace?: string) => Status;
  stop: () => void;
  /** How a page gets its token, and whether one that it shows is such a token. */
  login: Login;
  acceptsToken: (token: string) => Promise<boolean>;
  uploads: Uploads;
  buffers: Buffers;
  windows: Windows;
  /** The folder of the built page. */
  page: string;
};

/** How many sockets are open, and how many bytes wait for them to drain. */
export type Connections = { open: number; buffered: number };

/** How the daemon stands; no secrets in it. Times are epoch milliseconds. */
export type Status = {
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
  connections: Connections;
  /** What the store is read and written with; null where it is on a server. */
  engine: StoreEngine | null;
  memory: number;
  /** The mode of sessions that nobody chose one for, where no project says otherwise. */
  defaultMode: string;
  diagnostics: Loaded["diagnostics"];
};

/** One connection: who it is, and its socket, so that a stream can wait for it to drain. */
export type Context = Served & { actor: Actor | undefined; socket: WebSocket };
