import type { Duplex } from "node:stream";
import type { DialResult } from "./open-socket.ts";
import type { NetworkTarget } from "./network-target.ts";

/** Judges a target and connects to it. `client`: the connection that waits for it. */
export type ConnectTarget = (target: NetworkTarget, client: Duplex) => Promise<DialResult<Duplex>>;
