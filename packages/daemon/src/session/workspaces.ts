import { WorkspaceEvent, type ApprovedTool, type Logged } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Grant, PlacedRule } from "@baton/core/protocol/rule";
import type { EventLog } from "../store/event-log.ts";
import type { Clock } from "../system/clock.ts";
import type { WorkspaceTrust } from "./session-dependencies.ts";
import { isStoreFault } from "./retry-on-store-error.ts";

/** What has been approved of a server: how it starts, and its tools as they were then. `refused` are hashes of what was not. */
export type ServerApproval = { launch?: string; tools: Readonly<Record<string, ApprovedTool>>; refused: readonly string[] };

type Workspace = {
  seq: number;
  grants: readonly Grant[];
  trust: WorkspaceTrust;
  servers: Readonly<Record<string, ServerApproval>>;
  queue: Promise<unknown>;
};

/** Where grants lie that hold in every workspace. */
export const ALL_WORKSPACES = "*";

/** What is remembered of workspaces beyond their sessions: each is a stream with a small fold of its own. */
export type Workspaces = {
  /** Reads the workspace's stream, so that `grants` can answer at once from then on. */
  load: (path: string) => Promise<void>;
  /** Those of the workspace itself and those that hold everywhere. */
  grants: (path: string) => readonly Grant[];
  trust: (path: string) => WorkspaceTrust;
  settleTrust: (path: string, trusted: boolean, by: Actor) => Promise<void>;
  /** What has been approved of a server of the workspace, or of one of the person's own (`EVERYWHERE`). */
  approval: (path: string, server: string) => ServerApproval;
  judgeServer: (path: string, said: ServerDecision) => Promise<void>;
  /** Remembers a grant; the same grant twice is one grant. */
  give: (path: string, grant: Grant, by: Actor) => Promise<void>;
  revoke: (path: string, grantId: string, by: Actor) => Promise<{ revoked: Grant } | { refused: Refusal }>;
  /** Reads what other daemons wrote of what holds everywhere. */
  catchUp: () => Promise<void>;
};

/** An event about a server. */
export type ServerDecision = Extract<WorkspaceEvent, { type: "server.approved" | "server.refused" }>;

/**
 * `machine` is the id of this machine, given where other machines share the store: what is remembered of a folder then
 * belongs to this machine's folder alone, and what holds everywhere is shared by all of them. `changed` is called when
 * another daemon turns out to have written something.
 */
export type SharedWorkspaces = { machine?: string | undefined; changed?: () => void };

export function openWorkspaces(log: EventLog, clock: Clock, { machine, changed }: SharedWorkspaces = {}): Workspaces {
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

  /** To be called in turn. Resolves to whether another daemon had written anything. */
  const readOn = async (path: string, workspace: Workspace): Promise<boolean> => {
    const before = workspace.seq;
    Object.assign(workspace, await fold(workspace, streamOf(path)), { queue: workspace.queue });
    if (workspace.seq === before) return false;
    changed?.();
    return true;
  };

  /** Where another daemon has written to the stream meanwhile, the event is made again from what stands there now. */
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
    judgeServer: (path, said) => append(path, () => said),
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

/** A grant as a rule that stands in its layer. */
export const grantRule = ({ rule, scope, givenAt }: Grant): PlacedRule => ({
  ...rule,
  layer: scope,
  source: `grant of ${new Date(givenAt).toISOString().slice(0, 10)}`,
});

const empty = (): Workspace => ({ seq: 0, grants: [], trust: "unknown", servers: {}, queue: Promise.resolve() });

/** What names a folder in a store: its path, and where machines share the store, the machine whose folder it is. */
export const workspaceOfStream = (machine: string | undefined, path: string): string =>
  machine === undefined || path === ALL_WORKSPACES ? path : `${machine}:${path}`;

/**
 * What was remembered of a path before streams named their machine may be about another machine's folder: only what
 * narrows is taken from it.
 */
const narrowing = ({ grants, trust, servers }: Workspace): Workspace => ({
  ...empty(),
  grants: grants.filter(({ rule }) => rule.effect !== "allow"),
  trust: trust === "restricted" ? trust : "unknown",
  servers: Object.fromEntries(Object.entries(servers).map(([name, { refused }]) => [name, { tools: {}, refused }])),
});

function reduce(workspace: Workspace, event: Logged<WorkspaceEvent>): Workspace {
  switch (event.type) {
    case "grant.given":
      return { ...workspace, seq: event.seq, grants: [...workspace.grants, event.grant] };
    case "grant.revoked":
      return { ...workspace, seq: event.seq, grants: workspace.grants.filter(({ id }) => id !== event.grantId) };
    case "workspace.trusted":
      return { ...workspace, seq: event.seq, trust: "trusted" };
    case "workspace.restricted":
      return { ...workspace, seq: event.seq, trust: "restricted" };
    case "server.approved":
    case "server.refused":
      return { ...workspace, seq: event.seq, servers: { ...workspace.servers, [event.server]: saidOf(workspace, event) } };
  }
}

/**
 * After an event of a later version, or an invalid one, only what narrows still counts of what was before it: such an event
 * may have taken something back. What was trusted, granted and approved is asked for again.
 */
const afterUnknown = (workspace: Workspace, { seq }: { seq: number }): Workspace => ({ ...narrowing(workspace), seq });

const nothingApproved: ServerApproval = { tools: {}, refused: [] };

function saidOf({ servers }: Workspace, event: ServerDecision): ServerApproval {
  const before = Object.hasOwn(servers, event.server) ? (servers[event.server] ?? nothingApproved) : nothingApproved;
  const others = (hash: string | undefined) => before.refused.filter((each) => each !== hash);
  if (event.type === "server.refused") return { ...before, refused: [...others(event.hash).slice(-19), event.hash] };
  const { launch, tools = {} } = event;
  return { ...before, refused: others(launch), ...(launch === undefined ? {} : { launch }), tools: { ...before.tools, ...tools } };
}
