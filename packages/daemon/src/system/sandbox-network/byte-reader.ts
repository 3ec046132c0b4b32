import type { Socket } from "node:net";

/** Reads the beginning of a connection in exact portions. */
export type ByteReader = {
  /** Exactly so many bytes. Rejects if the connection ends before. */
  take: (count: number) => Promise<Buffer>;
  /** Gives the rest back to the socket. */
  release: () => void;
};

/** More bytes than a handshake has stay in the kernel. */
const MAX_HELD = 4_096;

export function openByteReader(socket: Socket): ByteReader {
  let held = Buffer.alloc(0);
  let ended = false;
  let wake = () => undefined as void;
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    if (held.length > MAX_HELD) socket.pause();
    wake();
  };
  const onEnd = () => {
    ended = true;
    wake();
  };
  socket.on("data", onData);
  for (const name of ["end", "close"]) socket.once(name, onEnd);
  return {
    async take(count) {
      while (held.length < count) {
        if (ended || socket.destroyed) throw new Error("the client ended early");
        if (socket.isPaused()) socket.resume();
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const taken = held.subarray(0, count);
      held = held.subarray(count);
      return taken;
    },
    release() {
      socket.off("data", onData);
      for (const name of ["end", "close"]) socket.off(name, onEnd);
      socket.pause();
      if (held.length > 0) socket.unshift(held);
    },
  };
}
