import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** `refused`: the target may not be reached. `failed`: it could not be reached. Both are sentences for the user and the model. */
export type DialResult<Connection extends Duplex = Socket> = { socket: Connection } | { refused: string } | { failed: string };

const CONNECT_MS = 20_000;

/** Connects to an IP address, or to the host of a proxy. Returns the problem if that fails. */
export async function openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket | string> {
  const { promise, resolve } = Promise.withResolvers<Socket | string>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const socket = connect({ host, port, allowHalfOpen: true });
  const abort = () => {
    socket.destroy();
    resolve("it did not answer in time");
  };
  limit.addEventListener("abort", abort, { once: true });
  socket.once("connect", () => resolve(socket));
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  if (limit.aborted) abort();
  const outcome = await promise;
  limit.removeEventListener("abort", abort);
  return outcome;
}
