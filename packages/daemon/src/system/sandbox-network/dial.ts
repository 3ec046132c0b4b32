import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { openSocket, type DialResult } from "./open-socket.ts";
import { resourceOfTarget, type NetworkTarget } from "./network-target.ts";
import { connectThrough, type Upstream } from "./upstream-proxy.ts";

export type DialOptions = {
  /** Decides by the IP address what may be reached. */
  mayReach: (address: string) => boolean;
  /** The proxy of the user for this target, if there is one. */
  upstreamFor: (target: NetworkTarget) => Upstream | undefined;
  /** All addresses of a name. None if it does not exist. */
  resolve?: (host: string) => Promise<string[]>;
};

/**
 * Connects to a target whose host was judged. It resolves the name itself and connects to the address that it has checked, so a second answer
 * of the name server cannot lead elsewhere. One forbidden address rejects the whole name. A proxy of the user resolves the name again.
 */
export async function dial(
  target: NetworkTarget,
  { mayReach, upstreamFor, resolve = resolveName }: DialOptions,
  signal: AbortSignal,
): Promise<DialResult> {
  const upstream = upstreamFor(target);
  const found = isIP(target.host) === 0 ? await resolve(target.host) : [target.host];
  const closed = found.find((address) => !mayReach(address));
  if (closed !== undefined)
    return {
      refused: `${target.host} ${closed === target.host ? "is" : `resolves to ${closed}, which is`} not an address of the public internet.`,
    };
  if (upstream) return connectThrough(upstream, target, signal);
  if (found.length === 0) return { failed: `The name ${target.host} does not exist.` };
  let problem = "";
  for (const host of found.slice(0, 4)) {
    const socket = await openSocket(host, target.port, signal);
    if (typeof socket !== "string") return { socket };
    problem = socket;
    if (signal.aborted) break;
  }
  return { failed: `${resourceOfTarget(target)} could not be reached: ${problem}.` };
}

/** A dot at the end keeps the search domains of this machine away from a name. Names of its hosts file have none. */
async function resolveName(host: string): Promise<string[]> {
  const found = await lookup(`${host}.`, { all: true }).catch(() => lookup(host, { all: true }).catch(() => []));
  return found.map(({ address }) => address);
}
