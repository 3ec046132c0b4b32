import type { Logged, WorkspaceEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { Grant, PlacedRule } from "@baton/core/protocol/rule";
import type { EventLog } from "../log/event-log.ts";
import type { Clock } from "../port/clock.ts";

type Workspace = { seq: number; grants: readonly Grant[]; queue: Promise<unknown> };

/** What is remembered of workspaces beyond their sessions: each is a stream with a small fold of its own. */
export type Workspaces = {
  /** Reads the workspace's stream, so that `grants` can answer at once from then on. */
  load: (path: string) => Promise<void>;
  grants: (path: string) => readonly Grant[];
  /** Remembers a grant; the same grant twice is one grant. */
  give: (path: string, grant: Grant, by: Actor) => Promise<void>;
  revoke: (path: string, grantId: string, by: Actor) => Promise<{ revoked: Grant } | { refused: Refusal }>;
};

export function openWorkspaces(log: EventLog, clock: Clock): Workspaces {
  const known = new Map<string, Promise<Workspace>>();

  const open = (path: string): Promise<Workspace> => {
    const before = known.get(path);
    if (before) return before;
    const reading = log
      .read<WorkspaceEvent>(streamOf(path))
      .then((events) => events.reduce<Workspace>(reduce, { seq: 0, grants: [], queue: Promise.resolve() }));
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
    load: async (path) => void (await open(path)),
    grants: (path) => loaded.get(path)?.grants ?? [],
    give: (path, grant, by) =>
      append(path, ({ grants }) => (grants.some(({ id }) => id === grant.id) ? undefined : { type: "grant.given", grant, by })),
    async revoke(path, grantId, by) {
      const grant = (await open(path)).grants.find(({ id }) => id === grantId);
      if (!grant) return refuse("grant_not_found", `There is no grant ${grantId}. \`baton permissions grants\` lists them.`);
      await append(path, ({ grants }) => (grants.some(({ id }) => id === grantId) ? { type: "grant.revoked", grantId, by } : undefined));
      return { revoked: grant };
    },
  };
}

/** A grant as a rule that stands in its layer. */
export const ruleOfGrant = ({ rule, scope, givenAt }: Grant): PlacedRule => ({
  ...rule,
  layer: scope === "session" ? "session" : "workspace",
  source: `grant of ${new Date(givenAt).toISOString().slice(0, 10)}`,
});

const streamOf = (path: string) => `workspace:${path}`;

function reduce(workspace: Workspace, event: Logged<WorkspaceEvent>): Workspace {
  switch (event.type) {
    case "grant.given":
      return { ...workspace, seq: event.seq, grants: [...workspace.grants, event.grant] };
    case "grant.revoked":
      return { ...workspace, seq: event.seq, grants: workspace.grants.filter(({ id }) => id !== event.grantId) };
  }
}
