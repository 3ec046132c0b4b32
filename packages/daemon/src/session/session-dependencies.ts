import type { ChildStatus } from "@baton/core/protocol/call";
import type { DelegatedTask, Limits, FileRestore, SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Mode } from "@baton/core/protocol/mode";
import type { Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Access, Grant, PlacedRule, Effect } from "@baton/core/protocol/rule";
import type { SharedVariables } from "@baton/core/protocol/shared-variables";
import type { Gated, RuleSet } from "@baton/core/permission/judge";
import type { SessionState } from "@baton/core/session/state";
import type { FileChange } from "@baton/core/session/undo";
import type { ToolsetResult } from "@baton/core/toolset/execute-tool";
import type { ToolCatalog } from "@baton/core/toolset/catalog";
import type { Failure } from "@baton/core/toolset/failure";
import type { ToolsetState } from "@baton/core/toolset/toolset-state";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Change, Snapshot } from "../store/projections.ts";
import type { EventLog } from "../store/event-log.ts";
import type { Machine } from "../store/machine-id.ts";
import type { SharedStore } from "../store/database/shared-store.ts";
import type { ServerQuestion } from "../mcp/server-approval.ts";
import type { ModelInfo } from "../model/model-info.ts";
import type { Model, OfferedTool } from "../model/model-port.ts";
import type { Clock } from "../system/clock.ts";
import type { Keep } from "../system/files/files.ts";
import type { Ports } from "../system/ports.ts";
import type { FileSnapshots } from "../system/files/file-snapshots.ts";
import type { Tool } from "../tool/tool-types.ts";
import type { offerTools } from "../tool/offer-tools.ts";
import type { ToolAvailability } from "../tool/tool-availability.ts";
import type { PromptName, PromptParts } from "./turn/system-prompt.ts";

/** Whose rules are wanted. `trusted` stands in for what is known of the workspace. */
export type RulesQuery = {
  workspace: string;
  mode: Mode;
  grants: readonly Grant[];
  ceilings: readonly PlacedRule[];
  trusted?: boolean | undefined;
};

/** The modes that count in one workspace. */
export type SessionModes = {
  all: () => readonly Mode[];
  get: (slug: string) => Mode | undefined;
  /** Why the mode of this slug may be in a file that cannot be read, so that it is not known to be gone. */
  unread: (slug: string) => { file: string; line: number; message: string } | undefined;
};

/** What tells the tools of a session: its own toolset or, without one, that of its mode. */
export type SessionTools = Pick<SessionState, "workspace" | "toolset" | "endpoint"> & Partial<Pick<SessionState, "mode" | "step">>;

/** `unknown`: nobody has said yet, which counts as restricted. */
export type WorkspaceTrust = "unknown" | "trusted" | "restricted";

/** What sessions see of MCP servers. */
export type SessionServers = {
  /** Starts what may start, and waits a little for servers that nobody has asked yet. */
  warm: (workspace: string, signal: AbortSignal) => Promise<void>;
  /** Whether any of them is being started now; when it has been, calls are judged once more. */
  starting: (workspace: string) => boolean;
  /** The names of those that are configured and not switched off. */
  names: (workspace: string) => readonly string[];
  /** What a person has to be asked before all of them can be used. */
  questions: (workspace: string) => ServerQuestion[];
  /** Writes down what was said to such a question. */
  settle: (workspace: string, said: { server: string; hash: string; approved: boolean; by: Actor }) => Promise<void>;
};

/** The toolsets that a person's sessions share, and what there is to choose from. */
export type SessionToolsets = {
  standing: () => ToolsetState;
  catalogue: (workspace: string) => ToolCatalog;
  /** Runs in its turn on the toolsets as they are then, and keeps those that were saved or deleted. */
  change: (run: (shared: ToolsetState) => ToolsetResult | Failure) => Promise<ToolsetResult | Failure>;
  /** The same on a profile of the endpoint, of which all is kept; `dry` keeps nothing. */
  ofProfile: (profile: string, run: (standing: ToolsetState) => ToolsetResult | Failure, dry: boolean) => Promise<ToolsetResult | Failure>;
};

/** `auto`: the coordinator weighs what a mode lacks. `ask`: the person is asked first. `off`: it is left at that. */
export type Coordination = "auto" | "ask" | "off";

/** How a child's first turn ended, with its last words; `cost` is in US dollars. */
export type ChildEnd = {
  status: ChildStatus;
  text: string;
  steps: number;
  cost: number;
  tookMs: number;
  /** The shared variables that it began with, and those that it hands over. */
  given: SharedVariables;
  handed: SharedVariables;
  /** The files that it changed, oldest change first. */
  files: readonly FileChange[];
};

/** The children of all sessions. */
export type ChildSessions = {
  /**
   * Begins the child, if it has not begun, as soon as its parent may run one more, and waits for the end of its first turn;
   * `watch` sees it at every change.
   */
  run: (
    parentId: SessionId,
    child: DelegatedTask,
    begin: () => SessionEvent[],
    watch: (state: SessionState) => void,
    signal: AbortSignal,
  ) => Promise<ChildEnd>;
  /** How many levels of delegation there may be below a session of the user. */
  maxDepth: () => number;
  /** Where a session stands that is open. */
  live: (id: SessionId) => SessionState | undefined;
  /** Stops a child whose parent does not want it any more. */
  cancel: (childId: SessionId) => Promise<void>;
};

/** What a live session is given of the world. `world.ts` makes it; tests make their own. */
export type SessionDependencies = {
  log: EventLog;
  /** Recorded in every session that begins here. */
  machine?: Machine;
  /** Where other machines share the store; `catchUp` reads what they granted and revoked, to be called before judging. */
  shared?: Pick<SharedStore, "elsewhere" | "due"> & { catchUp: () => Promise<void> };
  /** The derived rows of a session, for the batch that changes it. */
  derive: (change: Change) => InStatement[];
  /** Whether a commit changes what a list shows of the session. */
  changesRow: (id: SessionId, before: SessionState, after: SessionState) => boolean;
  /** Where to begin folding a long session. */
  snapshot: (id: SessionId) => Promise<Snapshot | "later" | undefined>;
  clock: Clock;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** The tools of a session: those that are built in, which answer to older names as well, and those of servers. */
  tools: (of: SessionTools) => Pick<ReadonlyMap<string, Tool>, "get" | "values">;
  servers: SessionServers;
  toolsets: SessionToolsets;
  /** What besides rules decides which tools a mode has in a workspace with a model. */
  situation: (workspace: string, mode: Mode, model?: string) => ToolAvailability;
  /** Which tools rules and a situation leave. */
  offer: typeof offerTools;
  schemaOf: (tool: Tool) => OfferedTool;
  /** Ends the commands that a session left running in the background. */
  stopCommands: (id: SessionId) => Promise<void>;
  /** What a call may touch: what it was judged for, and of what a search finds only what may be read unasked. */
  ports: (call: {
    workspace: string;
    judged: readonly Access[];
    mayRead: (relative: string, floor?: PlacedRule) => boolean;
    mayFetch: (resource: string) => Effect;
    keep?: Keep;
  }) => Ports;
  /** Contents of files, to have them back. Paths are as the gate made them. */
  versions: {
    keep: (workspace: string, path: string) => ReturnType<FileSnapshots["keep"]>;
    now: (workspace: string, path: string) => ReturnType<FileSnapshots["now"]>;
    modeOf: (workspace: string, path: string) => ReturnType<FileSnapshots["modeOf"]>;
    filesIn: (workspace: string, folder: string) => ReturnType<FileSnapshots["filesIn"]>;
    missingAbove: (workspace: string, path: string) => ReturnType<FileSnapshots["missingAbove"]>;
    isFolder: (workspace: string, path: string) => ReturnType<FileSnapshots["isFolder"]>;
    removeEmpty: (workspace: string, folder: string) => ReturnType<FileSnapshots["removeEmpty"]>;
    restore: (workspace: string, file: FileRestore, signal: AbortSignal) => ReturnType<FileSnapshots["restore"]>;
  };
  /** What instruction files and skills say in a mode of a workspace. */
  told: (workspace: string, mode: Mode) => Promise<Pick<PromptParts, "instructions" | "skills" | "texts">>;
  /** A text of ours for a model, by its name. */
  text: (name: PromptName) => Promise<string>;
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
  /** The modes that a workspace has now. */
  modes: (workspace: string) => SessionModes;
  /** The mode of sessions that nobody chose one for. */
  defaultMode: (workspace: string) => string;
  /** What a new session may use before it asks. */
  limits: (workspace: string) => Limits & { steps: number };
  models: {
    knows: (model: string) => boolean;
    fault: (model: string) => string | undefined;
    resolve: (wanted: readonly (string | undefined)[]) => { id: string; model: Model } | Refusal;
    facts: (model: string) => ModelInfo | undefined;
  };
  /** Which model finds titles, where one is set. */
  smallModel: () => string | undefined;
  /** Models that stand in for one that fails, the first one first. */
  fallbacks: () => readonly string[];
  /** How often a model is asked in a step, and how long in milliseconds it is waited for. */
  retries: () => { attempts: number; firstMs: number; longestMs: number };
  /** What all sessions together have cost today and may cost in a day, in US dollars. */
  spending: { today: () => number; isToday: (at: number) => boolean; budget: () => number | undefined; add: (cost: number) => void };
  /** Whether conversations are kept within what their model can read, and which model sums them up, if one is set. */
  compaction: () => { auto: boolean; model?: string | undefined };
  /** All rules that hold: those of the mode, the person, the workspace and the session, and what its parent keeps it from. */
  rules: (of: RulesQuery) => RuleSet;
  children: ChildSessions;
  trust: (workspace: string) => WorkspaceTrust;
  settleTrust: (workspace: string, trusted: boolean, by: Actor) => Promise<void>;
  /** Files of a project that count once it is trusted. */
  projectFiles: (workspace: string) => string[];
  /** What is done where a mode lacks what the work needs. */
  coordination: () => Coordination;
  /** `trusted` stands in for what is known of the workspace. */
  gate: (access: Access, workspace: string, trusted?: boolean) => Gated[] | { refused: string };
  /** Remembers a grant for a workspace; giving the same id twice does nothing. */
  grantToWorkspace: (workspace: string, grant: Grant) => Promise<void>;
  /** After every commit, for the lists that clients follow. */
  committed: (id: SessionId, before: SessionState, after: SessionState, seq: number) => void;
  report: (problem: string, error: unknown) => void;
};
