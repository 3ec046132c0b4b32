import type { ApprovedTool, Logged, WorkspaceEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Grant, PlacedRule } from "@baton/core/protocol/rule";
import type { EventLog } from "../log/event-log.ts";
import type { Clock } from "../port/clock.ts";
import type { Trust } from "./parts.ts";

/** What has been approved of a server: how it starts, and its tools as they were then. `refused` are hashes of what was not. */
export type ServerApproval = { launch?: string; tools: Readonly<Record<string, ApprovedTool>>; refused: readonly string[] };

type Workspace = {
  seq: number;
  grants: readonly Grant[];
  trust: Trust;
  servers: Readonly<Record<string, ServerApproval>>;
  queue: Promise<unknown>;
};

/** Where grants lie that hold in every workspace. */
export const EVERYWHERE = "*";

/** What is remembered of workspaces beyond their sessions: each is a stream with a small fold of its own. */
export type Workspaces = {
  /** Reads the workspace's stream, so that `grants` can answer at once from then on. */
  load: (path: string) => Promise<void>;
  /** Those of the workspace itself and those that hold everywhere. */
  grants: (path: string) => readonly Grant[];
  trust: (path: string) => Trust;
  settleTrust: (path: string, trusted: boolean, by: Actor) => Promise<void>;
  /** What has been approved of a server of the workspace, or of one of the person's own (`EVERYWHERE`). */
  approval: (path: string, server: string) => ServerApproval;
  judgeServer: (path: string, said: ServerSaid) => Promise<void>;
  /** Remembers a grant; the same grant twice is one grant. */
  give: (path: string, grant: Grant, by: Actor) => Promise<void>;
  revoke: (path: string, grantId: string, by: Actor) => Promise<{ revoked: Grant } | { refused: Refusal }>;
};

/** An event about a server. */
export type ServerSaid = Extract<WorkspaceEvent, { type: "server.approved" | "server.refused" }>;

export function openWorkspaces(log: EventLog, clock: Clock): Workspaces {
  const known = new Map<string, Promise<Workspace>>();

  const open = (path: string): Promise<Workspace> => {
    const before = known.get(path);
    if (before) return before;
    const reading = log.read<WorkspaceEvent>(streamOf(path)).then((events) => events.reduce<Workspace>(reduce, empty()));
    known.set(path, reading);
    reading.then(
      (workspace) => loaded.set(path, workspace),
      () => known.delete(path),
    );
    return reading;
  };
  const loaded = new Map<string, Workspace>();

  const append = async (path: string, make: (workspace: Workspace) => WorkspaceEvent | undefined): Promise<void> => {
    const workspace = await open(path);
    const work = workspace.queue.then(async () => {
      const event = make(workspace);
      if (!event) return;
      const [logged] = await log.append({ streamId: streamOf(path), after: workspace.seq, events: [event], at: clock.now() });
      if (logged) Object.assign(workspace, reduce(workspace, logged), { queue: workspace.queue });
    });
    workspace.queue = work.catch(() => undefined);
    return work;
  };

  return {
    load: async (path) => void (await Promise.all([open(EVERYWHERE), open(path)])),
    grants: (path) => [EVERYWHERE, path].flatMap((each) => loaded.get(each)?.grants ?? []),
    trust: (path) => loaded.get(path)?.trust ?? "unknown",
    settleTrust: (path, trusted, by) =>
      append(path, ({ trust }) => {
        if (trust === (trusted ? "trusted" : "restricted")) return undefined;
        return trusted ? { type: "workspace.trusted", by } : { type: "workspace.restricted", by };
      }),
    approval: (path, server) => loaded.get(path)?.servers[server] ?? nothingApproved,
    judgeServer: (path, said) => append(path, () => said),
    give: (path, grant, by) =>
      append(grant.scope === "user" ? EVERYWHERE : path, ({ grants }) =>
        grants.some(({ id }) => id === grant.id) ? undefined : { type: "grant.given", grant, by },
      ),
    async revoke(path, grantId, by) {
      for (const place of [path, EVERYWHERE]) {
        const grant = (await open(place)).grants.find(({ id }) => id === grantId);
        if (!grant) continue;
        await append(place, ({ grants }) => (grants.some(({ id }) => id === grantId) ? { type: "grant.revoked", grantId, by } : undefined));
        return { revoked: grant };
      }
      return refuse("grant_not_found", `There is no grant ${grantId}. \`baton permissions grants\` lists them.`);
    },
  };
}

/** A grant as a rule that stands in its layer. */
export const ruleOfGrant = ({ rule, scope, givenAt }: Grant): PlacedRule => ({
  ...rule,
  layer: scope,
  source: `grant of ${new Date(givenAt).toISOString().slice(0, 10)}`,
});

const empty = (): Workspace => ({ seq: 0, grants: [], trust: "unknown", servers: {}, queue: Promise.resolve() });

const streamOf = (path: string) => `workspace:${path}`;

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

const nothingApproved: ServerApproval = { tools: {}, refused: [] };

function saidOf({ servers }: Workspace, event: ServerSaid): ServerApproval {
  const before = Object.hasOwn(servers, event.server) ? (servers[event.server] ?? nothingApproved) : nothingApproved;
  const others = (hash: string | undefined) => before.refused.filter((each) => each !== hash);
  if (event.type === "server.refused") return { ...before, refused: [...others(event.hash).slice(-19), event.hash] };
  const { launch, tools = {} } = event;
  return { ...before, refused: others(launch), ...(launch === undefined ? {} : { launch }), tools: { ...before.tools, ...tools } };
}
