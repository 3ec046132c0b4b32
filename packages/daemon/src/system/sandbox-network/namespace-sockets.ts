import { omitUndefined } from "@baton/core/text/omit-undefined";
import { spawn, type ChildProcess } from "node:child_process";
import { Server, Socket } from "node:net";
import type { ProgramCommand } from "../sandbox/sandbox.ts";

/** Makes sockets inside of a namespace, which the daemon then uses as its own. */
export type SocketHelper = {
  listen: () => Promise<{ server: Server; port: number }>;
  connect: (port: number) => Promise<Socket>;
  close: () => void;
};

const IDLE_MS = 15_000;
/** A busy machine takes long to start a process. */
const ANSWER_MS = 30_000;

/** A socket belongs to the namespace of the process that creates it, wherever it is used later. */
const PROGRAM = `
const net = require("node:net");
process.on("disconnect", () => process.exit());
process.on("message", ({ id, port }) => {
  if (port === undefined) {
    const server = net.createServer();
    server.on("error", (error) => process.send({ id, problem: error.message }));
    return server.listen(0, "127.0.0.1", 511, () => process.send({ id, port: server.address().port }, server, () => server.close()));
  }
  const attempt = (hosts) => {
    const socket = net.connect({ port, host: hosts[0], allowHalfOpen: true, pauseOnConnect: true });
    socket.once("connect", () => process.send({ id }, socket, () => undefined));
    socket.once("error", (error) => (hosts.length > 1 ? attempt(hosts.slice(1)) : process.send({ id, problem: error.message })));
  };
  attempt(["127.0.0.1", "::1"]);
});
`;

type Message = { id: number; port?: number; problem?: string };
type Answer = { message: Message; handle: unknown };
type Waiting = PromiseWithResolvers<Answer> & { from: ChildProcess };

/** The helper runs while it is used, because it takes the memory of a Node process. `wrap` puts it into the namespace. */
export function openSocketHelper(wrap: (program: ProgramCommand) => ProgramCommand, env: Record<string, string>): SocketHelper {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;

  function start(): ChildProcess {
    const { file, args } = wrap({ file: process.execPath, args: ["--max-semi-space-size=1", "-e", PROGRAM] });
    const started = spawn(file, args, { env, stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true });
    started.on("message", (message: Message, handle) => {
      waiting.get(message.id)?.resolve({ message, handle });
    });
    const end = () => {
      if (child === started) child = undefined;
      for (const { from, reject } of waiting.values())
        if (from === started) reject(new Error("the helper in the network of the sandbox has ended"));
    };
    started.once("exit", end);
    started.once("error", end);
    return started;
  }

  async function ask(port?: number): Promise<Answer> {
    clearTimeout(idle);
    child ??= start();
    const id = ++count;
    const answer: Waiting = { ...Promise.withResolvers<Answer>(), from: child };
    waiting.set(id, answer);
    const limit = setTimeout(() => answer.reject(new Error("the network of the sandbox does not answer")), ANSWER_MS);
    try {
      child.send({ id, ...omitUndefined({ port }) }, (error) => error && answer.reject(error));
      const { message, handle } = await answer.promise;
      if (message.problem !== undefined) throw new Error(message.problem);
      return { message, handle };
    } finally {
      clearTimeout(limit);
      waiting.delete(id);
      if (waiting.size === 0) idle = setTimeout(close, IDLE_MS).unref();
    }
  }

  function close(): void {
    clearTimeout(idle);
    child?.kill("SIGKILL");
    child = undefined;
  }

  return {
    async listen() {
      const { message, handle } = await ask();
      if (!(handle instanceof Server) || message.port === undefined) throw new Error("the network of the sandbox sent no listener");
      return { server: handle, port: message.port };
    },
    async connect(port) {
      const { handle } = await ask(port);
      if (!(handle instanceof Socket)) throw new Error("the network of the sandbox sent no connection");
      return handle;
    },
    close,
  };
}
