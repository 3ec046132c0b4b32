import { omitUndefined } from "@baton/core/text/omit-undefined";
import { WorkspaceEvent, type ApprovedTool, type LoggedEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Grant, SourcedRule } from "@baton/core/protocol/rule";
import type { EventLog } from "../../store/event-log.ts";
import type { Clock } from "../../system/clock.ts";
import type { WorkspaceTrust } from "../session-dependencies.ts";
import { isStoreFault } from "../retry-on-store-error.ts";

/**
 * The user's approval of a server: how it starts, and its tools at that time. `refused`: the hashes of the parts that the user refused.
 */
type ServerApproval = { launch?: string; tools: Readonly<Record<string, ApprovedTool>>; refused: readonly string[] };

type Workspace = {
  seq: number;
  grants: readonly Grant[];
  trust: WorkspaceTrust;
  /** Hashes of commands that may prepare new places. */
  setups: readonly string[];
  /** The user's decisions about hooks and about tools that are files, by hash. The newest of a hash counts. */
  hooks: Readonly<Record<string, boolean>>;
  servers: Readonly<Record<string, ServerApproval>>;
  queue: Promise<unknown>;
};

/** Where grants for all workspaces are stored. */
export const ALL_WORKSPACES = "*";

/** Baton's memory of workspaces beyond their sessions. Each workspace is a stream with a small fold of its own. */
export type WorkspaceDecisions = {
  /** Reads the workspace's stream, so that `grants` can answer without waiting. */
  load: (path: string) => Promise<void>;
  /** The grants of the workspace, and those for all workspaces. */
  grants: (path: string) => readonly Grant[];
  trust: (path: string) => WorkspaceTrust;
  settleTrust: (path: string, trusted: boolean, by: Actor) => Promise<void>;
  /** The user's approval of a server of the workspace, or about one of the user's own servers (`ALL_WORKSPACES`). */
  approval: (path: string, server: string) => ServerApproval;
  /** Whether the commands with this hash may prepare new places of the folder. */
  isSetupApproved: (path: string, hash: string) => boolean;
  approveSetup: (path: string, hash: string, by: Actor) => Promise<void>;
  /** Whether the hook with this hash may run. Undefined: nobody has decided. */
  isHookApproved: (path: string, hash: string) => boolean | undefined;
  approveHooks: (path: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
  /** The same for tools that are files. */
  isToolApproved: (path: string, hash: string) => boolean | undefined;
  approveTools: (path: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
  judgeServer: (path: string, decision: ServerDecision) => Promise<void>;
  /** Stores a grant. The same grant twice is one grant. */
  give: (path: string, grant: Grant, by: Actor) => Promise<void>;
  revoke: (path: string, grantId: string, by: Actor) => Promise<{ revoked: Grant } | { refused: Refusal }>;
  /** Reads what other daemons wrote for all workspaces. */
  catchUp: () => Promise<void>;
};

/** An event about a server. */
type ServerDecision = Extract<WorkspaceEvent, { type: "server.approved" | "server.refused" }>;

/**
 * `machine`: the id of this machine, if machines share the store. What is remembered about a folder then belongs to this
 * machine's folder, and grants for all workspaces are shared. `changed` is called when another daemon has written something.
 */
type SharedWorkspaces = { machine?: string | undefined; changed?: () => void };

export function openWorkspaceDecisions(log: EventLog, clock: Clock, { machine, changed }: SharedWorkspaces = {}): WorkspaceDecisions {
  const known = new Map<string, Promise<Workspace>>();
  const streamOf = (path: string) => `workspace:${workspaceOfStream(machine, path)}`;

  const read = async (path: string): Promise<Workspace> => {
    const before = machine === undefined || path === ALL_WORKSPACES ? empty() : narrowing(await fold(empty(), `workspace:${path}`));
    return fold(before, streamOf(path));
  };

  const fold = async (workspace: Workspace, stream: string): Promise<Workspace> =>
    (await log.read<WorkspaceEvent>(stream, workspace.seq)).reduce<Workspace>(
      (before, event) => (WorkspaceEvent.safeParse(event).success ? reduce(before, event) : afterUnknown(before, event)),
      workspace,
    );

  const open = (path: string): Promise<Workspace> => {
    const before = known.get(path);
    if (before) return before;
    const reading = read(path);
    known.set(path, reading);
    reading.then(
      (workspace) => loaded.set(path, workspace),
      () => known.delete(path),
    );
    return reading;
  };
  const loaded = new Map<string, Workspace>();

  const inTurn = <T>(workspace: Workspace, work: () => Promise<T>): Promise<T> => {
    const run = workspace.queue.then(work);
    workspace.queue = run.catch(() => undefined);
    return run;
  };

  /** Call it in sequence. Resolves to whether another daemon had written anything. */
  const readOn = async (path: string, workspace: Workspace): Promise<boolean> => {
    const before = workspace.seq;
    Object.assign(workspace, await fold(workspace, streamOf(path)), { queue: workspace.queue });
    if (workspace.seq === before) return false;
    changed?.();
    return true;
  };

  /** If another daemon has written to the stream meanwhile, makes the event again from the current state. */
  const append = async (path: string, make: (workspace: Workspace) => WorkspaceEvent | undefined): Promise<void> => {
    const workspace = await open(path);
    const write = async (): Promise<void> => {
      const event = make(workspace);
      if (!event) return;
      try {
        const [logged] = await log.append({ streamId: streamOf(path), after: workspace.seq, events: [event], at: clock.now() });
        if (logged) Object.assign(workspace, reduce(workspace, logged), { queue: workspace.queue });
      } catch (error) {
        if (!isStoreFault(error) || !error.conflict || !(await readOn(path, workspace))) throw error;
        return write();
      }
    };
    return inTurn(workspace, write);
  };

  return {
    load: async (path) => void (await Promise.all([open(ALL_WORKSPACES), open(path)])),
    grants: (path) => [ALL_WORKSPACES, path].flatMap((each) => loaded.get(each)?.grants ?? []),
    trust: (path) => loaded.get(path)?.trust ?? "unknown",
    settleTrust: (path, trusted, by) =>
      append(path, ({ trust }) => {
        if (trust === (trusted ? "trusted" : "restricted")) return undefined;
        return trusted ? { type: "workspace.trusted", by } : { type: "workspace.restricted", by };
      }),
    approval: (path, server) => loaded.get(path)?.servers[server] ?? nothingApproved,
    isSetupApproved: (path, hash) => loaded.get(path)?.setups.includes(hash) ?? false,
    approveSetup: (path, hash, by) =>
      append(path, ({ setups }) => (setups.includes(hash) ? undefined : { type: "setup.approved", hash, by })),
    isHookApproved: (path, hash) => loaded.get(path)?.hooks[hash] ?? loaded.get(ALL_WORKSPACES)?.hooks[hash],
    approveHooks: (path, hashes, approved, by) =>
      append(path, () => ({ type: approved ? "hooks.approved" : "hooks.refused", hashes: [...hashes], by })),
    isToolApproved: (path, hash) => loaded.get(path)?.hooks[hash] ?? loaded.get(ALL_WORKSPACES)?.hooks[hash],
    approveTools: (path, hashes, approved, by) =>
      append(path, () => ({ type: approved ? "tools.approved" : "tools.refused", hashes: [...hashes], by })),
    judgeServer: (path, decision) => append(path, () => decision),
    give: (path, grant, by) =>
      append(grant.scope === "user" ? ALL_WORKSPACES : path, ({ grants }) =>
        grants.some(({ id }) => id === grant.id) ? undefined : { type: "grant.given", grant, by },
      ),
    async revoke(path, grantId, by) {
      for (const place of [path, ALL_WORKSPACES]) {
        const workspace = await open(place);
        if (machine !== undefined) await inTurn(workspace, () => readOn(place, workspace));
        const grant = workspace.grants.find(({ id }) => id === grantId);
        if (!grant) continue;
        await append(place, ({ grants }) => (grants.some(({ id }) => id === grantId) ? { type: "grant.revoked", grantId, by } : undefined));
        return { revoked: grant };
      }
      return refuse("grant_not_found", `There is no grant ${grantId}. \`baton permissions grants\` lists them.`);
    },
    async catchUp() {
      const everywhere = loaded.get(ALL_WORKSPACES);
      if (machine !== undefined && everywhere) await inTurn(everywhere, () => readOn(ALL_WORKSPACES, everywhere));
    },
  };
}

/** A grant as a rule of its layer. */
export const grantRule = ({ rule, scope, givenAt }: Grant): SourcedRule => ({
  ...rule,
  layer: scope,
  source: `grant of ${new Date(givenAt).toISOString().slice(0, 10)}`,
});

const empty = (): Workspace => ({ seq: 0, grants: [], trust: "unknown", setups: [], hooks: {}, servers: {}, queue: Promise.resolve() });

/** The name of a folder's stream: its path, and its machine if machines share the store. */
export const workspaceOfStream = (machine: string | undefined, path: string): string =>
  machine === undefined || path === ALL_WORKSPACES ? path : `${machine}:${path}`;

/**
 * Before streams named their machine, a path could belong to another machine's folder. Only restrictions are taken from such
 * streams.
 */
const narrowing = ({ grants, trust, hooks, servers }: Workspace): Workspace => ({
  ...empty(),
  grants: grants.filter(({ rule }) => rule.effect !== "allow"),
  trust: trust === "restricted" ? trust : "unknown",
  hooks: Object.fromEntries(Object.entries(hooks).filter(([, approved]) => !approved)),
  servers: Object.fromEntries(Object.entries(servers).map(([name, { refused }]) => [name, { tools: {}, refused }])),
});

function reduce(workspace: Workspace, event: LoggedEvent<WorkspaceEvent>): Workspace {
  switch (event.type) {
    case "grant.given":
      return { ...workspace, seq: event.seq, grants: [...workspace.grants, event.grant] };
    case "grant.revoked":
      return { ...workspace, seq: event.seq, grants: workspace.grants.filter(({ id }) => id !== event.grantId) };
    case "workspace.trusted":
      return { ...workspace, seq: event.seq, trust: "trusted" };
    case "workspace.restricted":
      return { ...workspace, seq: event.seq, trust: "restricted" };
    case "setup.approved":
      return { ...workspace, seq: event.seq, setups: [...workspace.setups, event.hash] };
    case "hooks.approved":
    case "hooks.refused":
    case "tools.approved":
    case "tools.refused":
      return { ...workspace, seq: event.seq, hooks: { ...workspace.hooks, ...decided(event) } };
    case "server.approved":
    case "server.refused":
      return { ...workspace, seq: event.seq, servers: { ...workspace.servers, [event.server]: approvalAfter(workspace, event) } };
  }
}

/** The decision for each hash. */
const decided = ({ type, hashes }: Extract<WorkspaceEvent, { hashes: string[] }>): Record<string, boolean> =>
  Object.fromEntries(hashes.map((hash) => [hash, type === "hooks.approved" || type === "tools.approved"]));

/**
 * After an event of a later version or an invalid one, only earlier restrictions still count, because the event may have
 * revoked something. Trust, grants and approvals are asked for again.
 */
const afterUnknown = (workspace: Workspace, { seq }: { seq: number }): Workspace => ({ ...narrowing(workspace), seq });

const nothingApproved: ServerApproval = { tools: {}, refused: [] };

function approvalAfter({ servers }: Workspace, event: ServerDecision): ServerApproval {
  const before = Object.hasOwn(servers, event.server) ? (servers[event.server] ?? nothingApproved) : nothingApproved;
  const others = (hash: string | undefined) => before.refused.filter((each) => each !== hash);
  if (event.type === "server.refused") return { ...before, refused: [...others(event.hash).slice(-19), event.hash] };
  const { launch, tools = {} } = event;
  return { ...before, refused: others(launch), ...omitUndefined({ launch }), tools: { ...before.tools, ...tools } };
}
