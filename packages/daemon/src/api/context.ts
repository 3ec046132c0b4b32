import type { McpServer } from "@baton/core/protocol/mcp";
import type { Actor } from "@baton/core/protocol/request";
import type { WebSocket } from "ws";
import type { Given, Imported } from "../config/foreign/import-rules.ts";
import type { Rule } from "@baton/core/protocol/rule";
import type { StoreEngine } from "@baton/core/protocol/store-report";
import type { ForeignServers } from "../config/foreign-servers.ts";
import type { Edited } from "../config/edit.ts";
import type { Loaded } from "../config/load.ts";
import type { Catalogue } from "../mode/catalogue.ts";
import type { Endpoint } from "../mcp/endpoint/endpoint.ts";
import type { Host } from "../mcp/host.ts";
import type { Logins } from "../mcp/login.ts";
import type { Lent } from "../mcp/lent.ts";
import type { Profiles } from "../mcp/profiles.ts";
import type { Guidance } from "../instruction/index.ts";
import type { Editor } from "../mode/editor.ts";
import type { GivenFile } from "../mode/read-file.ts";
import type { Validated } from "../mode/validate.ts";
import type { Catalog } from "../model/catalog.ts";
import type { Spending } from "../log/usage.ts";
import type { Keys } from "../model/keys.ts";
import type { Buffers } from "../port/buffers.ts";
import type { Uploads } from "../port/uploads.ts";
import type { Parts } from "../session/parts.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Login } from "./login.ts";
import type { Windows } from "./windows.ts";
import type { Workspaces } from "../session/workspaces.ts";
import type { ExpandPrompt } from "../world/expand-prompt.ts";

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
