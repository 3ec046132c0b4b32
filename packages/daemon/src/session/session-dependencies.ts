import type { CheckOrigin, ChildStatus } from "@baton/core/protocol/tool-call";
import type { DelegatedTask, Limits, FileRestore, AdditionalRoot, SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Mode } from "@baton/core/protocol/mode";
import type { Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Access, AccessVerdict, Grant, SourcedRule, Effect } from "@baton/core/protocol/rule";
import type { SharedTaskVariables } from "@baton/core/protocol/shared-task-variables";
import type { EnvironmentContext } from "@baton/core/protocol/environment-context";
import type { GatedAccess, RuleSet } from "@baton/core/permission/judge";
import type { SessionState } from "@baton/core/session/state";
import type { FileChange } from "@baton/core/session/undo";
import type { ToolsetResult } from "@baton/core/toolset/execute-toolset-management-tool";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import type { ToolsetFailure } from "@baton/core/toolset/toolset-tool-failure";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { InStatement } from "@libsql/client/sqlite3";
import type { StateCommit, StateSnapshot } from "../store/projections.ts";
import type { EventLog } from "../store/event-log.ts";
import type { Machine } from "../store/machine-id.ts";
import type { SharedStore } from "../store/database/shared-store.ts";
import type { ServerQuestion } from "../mcp/server-approval.ts";
import type { EditChecker } from "../language/checks/edit-checker.ts";
import type { ModelInfo } from "../model/model-info.ts";
import type { Model, OfferedTool } from "../model/model-port.ts";
import type { Clock } from "../system/clock.ts";
import type { RunningTerminal } from "../system/commands/background-commands.ts";
import type { OutputJournal } from "../system/commands/output-journal.ts";
import type { BeforeFileChange } from "../system/files/files.ts";
import type { Ports } from "../system/system-ports.ts";
import type { FileSnapshots } from "../system/files/file-snapshots.ts";
import type { CodeQueries, SearchCode } from "../tool/code/code-query-types.ts";
import type { Tool } from "../tool/tool-types.ts";
import type { offerTools } from "../tool/offer-tools.ts";
import type { ToolAvailability } from "../tool/tool-availability.ts";
import type { ScriptTools } from "../script-tool/script-tools.ts";
import type { Environments } from "../dev-environment/environments.ts";
import type { Hooks } from "../hook/hooks.ts";
import type { FileEditors } from "./files/file-editors.ts";
import type { PlaceFact } from "./turn/environment-prompt.ts";
import type { PromptName, SystemPromptInput } from "./turn/system-prompt.ts";

/** Selects the rules that apply. `trusted` overrides what Baton knows about the workspace. */
export type RulesQuery = {
  workspace: string;
  mode: Mode;
  grants: readonly Grant[];
  ceilings: readonly SourcedRule[];
  /** Folders that the session may use besides the workspace. */
  roots?: readonly AdditionalRoot[];
  trusted?: boolean | undefined;
};

/** The modes of one workspace. */
type SessionModes = {
  all: () => readonly Mode[];
  /** The modes that a model in this mode may choose: without those of plugins that are not used in it. */
  nameable: (from: string) => readonly Mode[];
  get: (slug: string) => Mode | undefined;
  /** The problem of an unreadable file that may define this mode. Until it is fixed, nobody knows whether the mode still exists. */
  unread: (slug: string) => { file: string; line: number; message: string } | undefined;
};

/** The part of a session's state that selects its tools: its own toolset or, without one, the toolset of its mode. */
export type SessionTools = Pick<SessionState, "workspace" | "toolset" | "endpoint"> & Partial<Pick<SessionState, "mode" | "step">>;

/** `unknown`: the user has not decided yet. Baton treats the workspace as restricted. */
export type WorkspaceTrust = "unknown" | "trusted" | "restricted";

/** The MCP servers as sessions see them. */
export type SessionServers = {
  /** Starts the servers that may start, all or those that this mode uses, and waits briefly for those that have not answered yet. */
  warm: (workspace: string, mode: string | undefined, signal: AbortSignal) => Promise<void>;
  /** Whether a server is starting. Calls are judged again once it has started. */
  starting: (workspace: string) => boolean;
  /** The names of the servers that are configured and enabled. */
  names: (workspace: string) => readonly string[];
  /** The questions that the user must answer before all servers can be used, or those that this mode uses. */
  questions: (workspace: string, mode?: string) => ServerQuestion[];
  /** Stores the answer to such a question. */
  settle: (workspace: string, decision: { server: string; hash: string; approved: boolean; by: Actor }) => Promise<void>;
};

/** The toolsets that all sessions of the user share, and the tools to choose from. */
export type SessionToolsets = {
  state: () => ToolsetState;
  catalog: (workspace: string) => ToolCatalog;
  /** Runs after earlier changes, on the toolsets as they are then. Stores the ones that were saved or deleted. */
  change: (run: (shared: ToolsetState) => ToolsetResult | ToolsetFailure) => Promise<ToolsetResult | ToolsetFailure>;
  /** The same for a profile of the endpoint, which stores every change. With `dry` it stores nothing. */
  ofProfile: (
    profile: string,
    run: (state: ToolsetState) => ToolsetResult | ToolsetFailure,
    dry: boolean,
  ) => Promise<ToolsetResult | ToolsetFailure>;
};

/** The reaction to a mode that lacks a tool. `auto`: the coordinator decides. `ask`: the user is asked first. `off`: the call fails. */
export type Coordination = "auto" | "ask" | "off";

/** The end of a child's first turn, with its last message. `cost` is in US dollars. */
export type ChildEnd = {
  status: ChildStatus;
  text: string;
  steps: number;
  cost: number;
  tookMs: number;
  /** The shared variables that the child began with, and those that it returns. */
  initialVariables: SharedTaskVariables;
  finalVariables: SharedTaskVariables;
  /** The files that the child changed, oldest change first. */
  files: readonly FileChange[];
};

/** Runs the child sessions of all sessions. */
export type ChildSessions = {
  /**
   * Starts the child when its parent has a free slot, unless it has started already, and waits for the end of its first turn.
   * `watch` is called at every change of the child.
   */
  run: (
    parentId: SessionId,
    child: DelegatedTask,
    begin: () => SessionEvent[],
    watch: (state: SessionState) => void,
    signal: AbortSignal,
  ) => Promise<ChildEnd>;
  /** How many levels of delegation are allowed below a session of the user. */
  maxDepth: () => number;
  /** The state of a session that is open. */
  live: (id: SessionId) => SessionState | undefined;
  /** Stops a child that its parent no longer awaits. */
  cancel: (childId: SessionId) => Promise<void>;
};

/** The log of sessions, and the rows that are derived from it. */
export type SessionStore = {
  log: EventLog;
  /** Recorded in every session that begins here. */
  machine?: Machine | undefined;
  /** Present when several machines share the store. `catchUp` reads grants and revocations of others; call it before judging. */
  shared?: (Pick<SharedStore, "elsewhere" | "due"> & { catchUp: () => Promise<void> }) | undefined;
  /** The statements that update the derived rows of a session, for the batch that changes it. */
  projectionStatements: (change: StateCommit) => InStatement[];
  /** Whether a commit changes the session's row in lists. */
  changesRow: (id: SessionId, before: SessionState, after: SessionState) => boolean;
  /** The newest stored state of a long session. `later`: a later version of Baton wrote it. */
  snapshot: (id: SessionId) => Promise<StateSnapshot | "later" | undefined>;
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
};

/** A command that checks edits. `files` are wildcards. `layer`: whose config names it. */
export type CheckCommand = CheckOrigin & { files: readonly string[]; after: "edit" | "turn"; timeoutMs?: number };

/** The settings that sessions read. Each is read when it is needed, so a change applies at once. */
export type SessionSettings = {
  /** The mode of sessions for which the user chose none. */
  defaultMode: (workspace: string) => string;
  /** The limits of a new session. It asks when it reaches one. */
  limits: (workspace: string) => Limits & { steps: number };
  /** The model for titles. */
  smallModel: () => string | undefined;
  /** Models that replace one that fails, in order. */
  fallbackModels: () => readonly string[];
  /** How often a model is asked in a step, and how long to wait between attempts, in milliseconds. */
  retries: () => { attempts: number; firstMs: number; longestMs: number };
  /** Whether long conversations are compacted, and by which model if one is set. */
  compaction: () => { auto: boolean; model?: string | undefined };
  coordination: () => Coordination;
  /** The commands that check edits in a workspace, and how often those that fail may continue a turn. */
  checks: (workspace: string) => { commands: readonly CheckCommand[]; continuations: number };
};

/** Decides what an agent may do, and stores what the user allowed. */
type SessionPermissions = {
  /** All rules that apply: those of the mode, the user, the workspace and the session, and the ceilings of its parent. */
  rules: (query: RulesQuery) => RuleSet;
  /** Makes an access exact. `trusted` overrides what Baton knows about the workspace. */
  gate: (access: Access, workspace: string, trusted?: boolean) => GatedAccess[] | { refused: string };
  trust: (workspace: string) => WorkspaceTrust;
  resolveTrust: (workspace: string, trusted: boolean, by: Actor) => Promise<void>;
  /** The files of a project that take effect once the user trusts it. */
  projectFiles: (workspace: string) => string[];
  /** Stores a grant for a workspace. A second call with the same id does nothing. */
  grantToWorkspace: (workspace: string, grant: Grant) => Promise<void>;
};

/** The tools of sessions, and what their calls may touch. */
export type SessionToolbox = {
  /** The tools of a session: built-in ones, which also answer to older names, and those of servers. */
  of: (selector: SessionTools) => Pick<ReadonlyMap<string, Tool>, "get" | "values">;
  /** The facts besides rules that decide which tools a mode offers in a workspace with a model. */
  availability: (workspace: string, mode: Mode, model?: string) => ToolAvailability;
  /** The tools that rules and availability leave. */
  offer: typeof offerTools;
  schemaOf: (tool: Tool) => OfferedTool;
  /**
   * The system ports of one call, limited to the accesses that were judged. Searches show only files that may be read without a question.
   */
  ports: (call: {
    workspace: string;
    /** The mode whose plugins may be used. */
    mode?: string;
    roots: readonly AdditionalRoot[];
    judged: readonly (Access & Partial<AccessVerdict>)[];
    /** `floor`: the rule of the gate that no other rule loosens. It takes time to find. */
    mayRead: (relative: string, floor: () => SourcedRule | undefined) => boolean;
    mayFetch: (resource: string) => Effect;
    keep?: BeforeFileChange;
    /** Present if the call was allowed because it stays in the sandbox. */
    contained?: RuleSet;
  }) => Ports;
  /** Ends the commands that a session left running in the background. */
  stopCommands: (id: SessionId) => Promise<void>;
  /** The name of the shell that runs commands. */
  shell: string;
  /** Quotes a text as one argument of that shell. Undefined if the shell has no way to do that. */
  quote: (text: string) => string | undefined;
};

/** The terminals of commands. */
type SessionTerminals = {
  /** The terminal of a command of this session. Undefined if it has none or has ended. */
  running: (sessionId: SessionId, callId: string) => RunningTerminal | undefined;
};

/** The sandbox of commands. */
type SessionSandbox = {
  /** Whether commands that stay inside need no question: the setting allows it, and the sandbox works on this machine. */
  isReady: () => boolean;
};

/** Formats files that a call has written. */
export type SessionFormatters = {
  /**
   * Runs the formatter for a file, if there is one. Returns its name if it changed the text. `path` has the form that the gate gives it.
   */
  format: (workspace: string, path: string, signal: AbortSignal) => Promise<string | undefined>;
};

/** Contents of files before a change, by workspace, for undo. Paths have the form that the gate gives them. */
export type WorkspaceSnapshots = {
  keep: (workspace: string, path: string) => ReturnType<FileSnapshots["keep"]>;
  now: (workspace: string, path: string) => ReturnType<FileSnapshots["now"]>;
  modeOf: (workspace: string, path: string) => ReturnType<FileSnapshots["modeOf"]>;
  filesIn: (workspace: string, folder: string) => ReturnType<FileSnapshots["filesIn"]>;
  missingAbove: (workspace: string, path: string) => ReturnType<FileSnapshots["missingAbove"]>;
  isFolder: (workspace: string, path: string) => ReturnType<FileSnapshots["isFolder"]>;
  removeEmpty: (workspace: string, folder: string) => ReturnType<FileSnapshots["removeEmpty"]>;
  restore: (workspace: string, file: FileRestore, signal: AbortSignal) => ReturnType<FileSnapshots["restore"]>;
  /** A content by its hash. */
  read: FileSnapshots["read"];
  /** Stores a content that no file has yet. */
  store: FileSnapshots["store"];
};

export type SessionModels = {
  knows: (model: string) => boolean;
  fault: (model: string) => string | undefined;
  resolve: (models: readonly (string | undefined)[]) => { id: string; model: Model } | Refusal;
  facts: (model: string) => ModelInfo | undefined;
};

/** The texts of system prompts. */
type SessionPrompts = {
  /** Instruction files, skills and texts for a mode in a workspace. */
  forMode: (workspace: string, mode: Mode) => Promise<Pick<SystemPromptInput, "instructions" | "skills" | "texts">>;
  /** One of Baton's own texts for a model. */
  text: (name: PromptName) => Promise<string>;
};

/** The places of sessions. */
type SessionPlaces = {
  /** The place that a folder belongs to, for its model. */
  describe: (workspace: string) => PlaceFact | undefined;
  /** Looks at a folder when a session starts in it. */
  environmentContext: (workspace: string) => Promise<EnvironmentContext>;
  /** Creates a place for a subtask. The same `key` creates it once. Returns the folder to work in, or why there is none. */
  isolate: (workspace: string, key: string) => Promise<{ name: string; workspace: string } | { refused: Refusal }>;
};

/** The index of the code of workspaces. */
export type SessionCodeIndex = {
  search: SearchCode;
  /**
   * The map of the repository for a session. It is made at the session's first prompt and again after each compaction, and otherwise stays the
   * same. `query` gives the newest prompt, or undefined if there is none yet. Empty if there is no map.
   */
  map: (
    session: { id: string; workspace: string; compactions: number },
    query: () => Promise<string | undefined>,
    mayShow: (relative: string) => boolean,
  ) => Promise<string>;
};

/** The cost of all sessions together, today, in US dollars. */
type DailySpending = {
  today: () => number;
  isToday: (at: number) => boolean;
  budget: () => number | undefined;
  add: (cost: number) => void;
};

/**
 * Everything that a session needs from the rest of the daemon. `composition/build-session-dependencies.ts` builds it, and the
 * simulator builds its own. `Sessions` adds `children` and `onCommit`.
 */
export type SessionDependencies = {
  clock: Clock;
  /** From 0 up to, but not including, 1. */
  random: () => number;
  report: (problem: string, error: unknown) => void;
  /** The folder whose trust, rules, grants and servers apply to a folder: that of the source checkout for a place. */
  identity: (folder: string) => string;
  store: SessionStore;
  places: SessionPlaces;
  editors: FileEditors;
  settings: SessionSettings;
  permissions: SessionPermissions;
  modes: (workspace: string) => SessionModes;
  models: SessionModels;
  prompts: SessionPrompts;
  tools: SessionToolbox;
  snapshots: WorkspaceSnapshots;
  languages: EditChecker;
  /** Answers questions about code in a mode. */
  code: (mode: string) => CodeQueries;
  codeIndex: SessionCodeIndex;
  formatters: SessionFormatters;
  sandbox: SessionSandbox;
  terminals: SessionTerminals;
  /** The output of running calls, for their results after a crash. */
  outputs: OutputJournal;
  servers: SessionServers;
  toolsets: SessionToolsets;
  /** The hooks of the user, of projects and of a managed machine. Files of a place are those of its source. */
  hooks: Hooks;
  /** Scripts of the user and of projects that are tools. */
  scriptTools: ScriptTools;
  /** The environments that commands get in their folders. */
  environments: Environments;
  spending: DailySpending;
  children: ChildSessions;
  /** Called after every commit, for the lists that clients follow. */
  onCommit: (id: SessionId, before: SessionState, after: SessionState, seq: number) => void;
};

/** The dependencies without the parts that `Sessions` adds itself. */
export type SharedDependencies = Omit<SessionDependencies, "children" | "onCommit">;
