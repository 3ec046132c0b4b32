import { resourceOfTarget, type NetworkTarget } from "./network-target.ts";

/** The answer to whether a host may be reached. `whileRunning`: it holds until the commands end that run now, and not only once. */
export type HostDecision = { allowed: boolean; why: string; whileRunning?: boolean };

/**
 * Decides whether a session may reach a host. It may wait for the user. When `signal` aborts, nobody waits for the decision anymore, and it
 * returns soon.
 */
export type HostGate = (sessionId: string, target: NetworkTarget, signal: AbortSignal) => Promise<HostDecision>;

/** The hosts that commands of a session reached, and those that were refused with the reason. */
export type NetworkUse = { reached: string[]; refused: { host: string; why: string }[] };

export type HostDecisions = {
  decide: (target: NetworkTarget, signal: AbortSignal) => Promise<HostDecision>;
  /** Records how a connection ended that was allowed. */
  record: (target: NetworkTarget, refused?: string) => void;
  /** Begins a call. `use` collects the hosts of all calls that run meanwhile, because a connection does not name its call. */
  begin: () => { use: NetworkUse; end: () => void };
  /** Ends all waiting. */
  close: () => void;
};

/** How many hosts may wait for the user at once. More are refused, so that no command can flood the inbox. */
const MAX_WAITING = 8;
const MAX_RECORDED = 50;

type Waiting = { decision: Promise<HostDecision>; clients: number; abort: AbortController };

/** The decisions about the hosts of one session. Connections to the same host wait for one answer. */
export function openHostDecisions(gate: (target: NetworkTarget, signal: AbortSignal) => Promise<HostDecision>): HostDecisions {
  const waiting = new Map<string, Waiting>();
  const remembered = new Map<string, HostDecision & { calls: ReadonlySet<object> }>();
  const calls = new Map<object, NetworkUse>();

  function record(target: NetworkTarget, refused?: string): void {
    const host = resourceOfTarget(target);
    for (const use of calls.values()) {
      if (refused === undefined) add(use.reached, host, (each) => each);
      else add(use.refused, { host, why: refused }, (each) => each.host);
    }
  }

  async function ask(key: string, target: NetworkTarget, signal: AbortSignal): Promise<HostDecision> {
    const before = remembered.get(key);
    if (before && [...before.calls].some((call) => calls.has(call))) return before;
    const known = waiting.get(key);
    if (!known && waiting.size >= MAX_WAITING)
      return { allowed: false, why: `${MAX_WAITING} other hosts already wait for the user. Try again after they are answered.` };
    const entry = known ?? start(key, target);
    entry.clients++;
    const leave = () => --entry.clients === 0 && entry.abort.abort();
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await entry.decision;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  function start(key: string, target: NetworkTarget): Waiting {
    const abort = new AbortController();
    const decision = gate(target, abort.signal).then((found) => {
      if (found.whileRunning) remembered.set(key, { ...found, calls: new Set(calls.keys()) });
      return found;
    });
    const entry: Waiting = { decision, clients: 0, abort };
    waiting.set(key, entry);
    const forget = () => void waiting.delete(key);
    decision.then(forget, forget);
    return entry;
  }

  return {
    async decide(target, signal) {
      const decision = await ask(resourceOfTarget(target), target, signal);
      if (!decision.allowed) record(target, decision.why);
      return decision;
    },
    record,
    begin() {
      const call = {};
      const use: NetworkUse = { reached: [], refused: [] };
      calls.set(call, use);
      const end = () => {
        calls.delete(call);
        if (calls.size > 0) return;
        remembered.clear();
        for (const { abort } of waiting.values()) abort.abort();
      };
      return { use, end };
    },
    close: () => waiting.forEach(({ abort }) => abort.abort()),
  };
}

function add<T>(list: T[], item: T, keyOf: (item: T) => string): void {
  if (list.length < MAX_RECORDED && !list.some((each) => keyOf(each) === keyOf(item))) list.push(item);
}
