import { isIP } from "node:net";
import type { ProgramCommand } from "../sandbox/sandbox.ts";
import { dial, type DialOptions } from "./dial.ts";
import { forwardPorts } from "./forward-ports.ts";
import { openHostDecisions, type HostDecisions, type HostGate, type NetworkUse } from "./host-decisions.ts";
import { openNamespace, type NetworkNamespace } from "./network-namespace.ts";
import { proxyEnv } from "./proxy-env.ts";
import { serveProxy } from "./proxy.ts";
import type { ConnectTarget } from "./connect-target.ts";
import type { NetworkSecrets } from "./secrets/open-secrets.ts";
import { resourceOfTarget, type NetworkTarget } from "./network-target.ts";

/** A program that uses the network of its session. */
export type NetworkEntry = {
  /** Runs a program in the network. It must not unshare the network itself. */
  wrap: (program: ProgramCommand) => ProgramCommand;
  /** Variables that lead programs to the proxy. They replace those of the user. */
  env: Record<string, string>;
  /** Files that the variables name, which the program must be able to read. */
  visible: readonly string[];
  /** The hosts that programs of the session have used since the entry. It grows. */
  use: NetworkUse;
  /** Must be called when the program has ended. */
  leave: () => void;
};

/** How a program uses the network. */
export type EnterOptions = {
  /** Its servers become reachable on the loopback device of the machine. */
  background?: boolean;
  /** Receives sentences about the network for the readers of the program's output. */
  notify?: (text: string) => void;
};

/** The networks of sandboxed programs, one for each session. */
export type SandboxNetwork = {
  /** Opens the network of a session if necessary. A text says why there is none; the program must then run without any network. */
  enter: (sessionId: string, options?: EnterOptions) => Promise<NetworkEntry | string>;
  /** Ends the network of a session. */
  end: (sessionId: string) => void;
  close: () => void;
};

export type SandboxNetworkOptions = DialOptions & {
  /** Begins the tags of the processes that hold networks. */
  bootId: string;
  gate: HostGate;
  /** The secrets of a new network. */
  secrets?: () => NetworkSecrets;
};

/** How long a network stays open that no program uses, in milliseconds. */
const IDLE_MS = 10 * 60_000;

type Opened = {
  namespace: NetworkNamespace;
  decisions: HostDecisions;
  env: Record<string, string>;
  secrets: NetworkSecrets | undefined;
  forward: Forwarding;
  close: () => void;
};
type Forwarding = (notify: (text: string) => void) => () => void;

/** A network needs about 1 MB and a few milliseconds for each program. Names are resolved by the daemon, and nothing else leads out. */
export function openSandboxNetwork({ bootId, gate, secrets, ...dialing }: SandboxNetworkOptions): SandboxNetwork {
  const networks = new Map<string, Promise<Opened>>();
  const users = new WeakMap<Opened, number>();
  const idle = new WeakMap<Opened, NodeJS.Timeout>();
  let closed = false;

  function networkOf(sessionId: string): Promise<Opened> {
    const known = networks.get(sessionId);
    if (known) return known;
    const opening = openOne(sessionId, `${bootId}.${sessionId}/network`, { gate, secrets: secrets?.(), dialing });
    networks.set(sessionId, opening);
    const forget = () => networks.get(sessionId) === opening && networks.delete(sessionId);
    opening.then((opened) => {
      opened.namespace.ended.addEventListener("abort", () => {
        forget();
        clearTimeout(idle.get(opened));
        opened.close();
      });
      if (closed || networks.get(sessionId) !== opening) opened.close();
    }, forget);
    return opening;
  }

  const end = (sessionId: string) => {
    const opening = networks.get(sessionId);
    networks.delete(sessionId);
    opening?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  };

  const endWhenIdle = (sessionId: string, opened: Opened) => {
    clearTimeout(idle.get(opened));
    const isIdle = () => users.get(opened) === 0 && !opened.namespace.ended.aborted;
    idle.set(opened, setTimeout(() => isIdle() && end(sessionId), IDLE_MS).unref());
  };

  return {
    async enter(sessionId, { background = false, notify = () => undefined } = {}) {
      if (closed) return "the daemon is stopping";
      try {
        const opened = await networkOf(sessionId);
        const { namespace, decisions, forward } = opened;
        const own = (await opened.secrets?.enter()) ?? { env: {}, visible: [] };
        users.set(opened, (users.get(opened) ?? 0) + 1);
        const { use, end: finish } = decisions.begin();
        const stop = background ? forward(notify) : undefined;
        const leave = () => {
          stop?.();
          finish();
          const left = (users.get(opened) ?? 1) - 1;
          users.set(opened, left);
          if (left === 0) endWhenIdle(sessionId, opened);
        };
        return { wrap: namespace.wrap, env: { ...opened.env, ...own.env }, visible: own.visible, use, leave };
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    end,
    close() {
      closed = true;
      networks.forEach((_, sessionId) => end(sessionId));
    },
  };
}

type OpenOptions = { gate: HostGate; secrets: NetworkSecrets | undefined; dialing: DialOptions };

async function openOne(sessionId: string, tag: string, { gate, secrets, dialing }: OpenOptions): Promise<Opened> {
  const namespace = await openNamespace(tag);
  try {
    const { server, port } = await namespace.listen();
    const decisions = openHostDecisions((target, signal) => gate(sessionId, target, signal));
    const end = await serveProxy(server, reachVia(decisions, dialing, secrets));
    const forwarding = sharedForwarding(namespace, new Set([port]));
    return {
      namespace,
      decisions,
      env: proxyEnv(port),
      secrets,
      forward: forwarding,
      close() {
        decisions.close();
        end();
        namespace.close();
      },
    };
  } catch (error) {
    namespace.close();
    throw error;
  }
}

const refusal = (target: NetworkTarget, why: string): string => `Baton: the host ${resourceOfTarget(target)} is not allowed. ${why}`;

/** Judges a target, connects to it, and records both. */
const reachVia =
  (decisions: HostDecisions, dialing: DialOptions, secrets: NetworkSecrets | undefined): ConnectTarget =>
  async (target, client) => {
    const refuse = (to: NetworkTarget, why: string) => {
      decisions.record(to, why);
      return { refused: refusal(to, why) };
    };
    const gone = new AbortController();
    const abort = () => gone.abort();
    client.once("close", abort);
    try {
      if (isIP(target.host) !== 0 && !dialing.mayReach(target.host))
        return refuse(target, `${target.host} is not an address of the public internet.`);
      const { allowed, why } = await decisions.decide(target, gone.signal);
      if (!allowed) return { refused: refusal(target, why) };
      const dialed = await dial(target, dialing, gone.signal);
      if ("socket" in dialed && client.destroyed) dialed.socket.destroy();
      if ("failed" in dialed) return { failed: `Baton: ${dialed.failed}` };
      if ("refused" in dialed) return refuse(target, dialed.refused);
      decisions.record(target);
      return secrets ? { socket: await secrets.through(dialed.socket, target) } : dialed;
    } finally {
      client.off("close", abort);
    }
  };

/** Forwards ports while at least one program wants it. Each of these is called for every port. */
function sharedForwarding(namespace: NetworkNamespace, own: ReadonlySet<number>): Forwarding {
  const listeners = new Set<(text: string) => void>();
  let running: { close: () => void } | undefined;
  return (notify) => {
    listeners.add(notify);
    running ??= forwardPorts(namespace, own, (inside, outside) => {
      const text = `\n(Baton: port ${inside} of the sandbox is http://localhost:${outside} on this machine)\n`;
      for (const listener of listeners) listener(text);
    });
    return () => {
      listeners.delete(notify);
      if (listeners.size > 0) return;
      running?.close();
      running = undefined;
    };
  };
}
