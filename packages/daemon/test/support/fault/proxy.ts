import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type Proxy = AsyncDisposable & {
  port: number;
  /** Cuts the connection this many times, each time after a random number of bytes. */
  cut(times: number): Promise<void>;
  /** Takes no more data from the server, until `resume` cuts the connections and accepts new ones. */
  pause(): void;
  resume(): void;
};

/** A connection between client and server that can be cut and stopped. */
export async function cuttingProxy(target: number): Promise<Proxy> {
  let cuts = 0;
  let paused = false;
  let cutAll: (() => void) | undefined;
  const open = new Set<{ client: Socket; server: Socket }>();
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    const pair = { client, server };
    open.add(pair);
    let left = cuts > 0 ? 200 + Math.floor(Math.random() * 4_000) : Number.POSITIVE_INFINITY;
    const end = () => {
      open.delete(pair);
      client.destroy();
      server.destroy();
    };
    server.on("data", (data: Buffer) => {
      if (cuts > 0 && left === Number.POSITIVE_INFINITY) left = 1_000;
      left -= data.length;
      if (left >= 0 || cuts === 0) return void client.write(data);
      cuts--;
      client.write(data.subarray(0, data.length + left), end);
      if (cuts === 0) cutAll?.();
    });
    client.on("data", (data: Buffer) => server.write(rewriteHost(data, proxyPort(), target)));
    for (const socket of [client, server]) socket.on("close", end).on("error", end);
    if (paused) server.pause();
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const proxyPort = () => (proxy.address() as AddressInfo).port;
  return {
    port: proxyPort(),
    cut: (times) => {
      cuts = times;
      return new Promise((done) => (cutAll = done));
    },
    pause: () => {
      paused = true;
      for (const { server } of open) server.pause();
    },
    resume: () => {
      paused = false;
      for (const { client } of open) client.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server } of open) [client, server].map((socket) => socket.destroy());
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

/** The daemon expects its own address as the host name, so the proxy replaces its name on the way. */
const rewriteHost = (data: Buffer, from: number, to: number): Buffer =>
  Buffer.from(
    data
      .toString("latin1")
      .replace(`Host: 127.0.0.1:${from}`, `Host: 127.0.0.1:${to}`)
      .replace(`host: 127.0.0.1:${from}`, `host: 127.0.0.1:${to}`),
    "latin1",
  );
