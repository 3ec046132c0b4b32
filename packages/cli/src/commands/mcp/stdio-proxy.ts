import type { Socket } from "node:net";
import { readLimitedLines } from "../../run/read-limited-lines.ts";

type BridgeOptions = {
  /** Connects to the daemon, and starts one if none runs. */
  connect: () => Promise<Socket>;
  /** Connects to the daemon only if one runs. */
  reconnect: () => Promise<Socket | undefined>;
  /** Sends a line to the client. */
  write: (line: string) => void;
};

/** One client of the Model Context Protocol. It survives restarts of the daemon. */
type StdioProxy = {
  /** Passes a line of the client on. Rejects only if no daemon can be started for the first line. */
  send: (line: string) => Promise<void>;
  /** Waits until every request is answered, at most `patienceMs`, and closes the connection. */
  close: (patienceMs: number) => Promise<void>;
};

/** The parts of a message that decide where it goes. */
type Message = { id?: string | number; method?: string; capabilities?: Record<string, unknown> };

/** Lists of an MCP server that send change notifications. */
const LISTS = ["tools", "resources", "prompts"];

const isListening = (capability: unknown): boolean =>
  typeof capability === "object" && capability !== null && "listChanged" in capability && capability.listChanged === true;

const MAX_LINE = 64 * 1024 * 1024;
const LOOK_AGAIN_MS = 1_000;
const REPLAYED = "baton-replayed-initialize";
/** The error code with which MCP servers report a closed connection. Source: `ConnectionClosed` in the SDKs. */
const CONNECTION_CLOSED = -32_000;
const LOST =
  "The Baton daemon ended during this request. Whether it took effect is unknown: check before you repeat it. Baton has been restarted.";

/**
 * Carries lines between a client and the daemon. If the daemon ends, each open request gets an error. The next connection
 * repeats the client's `initialize`, so the client notices nothing else.
 */
export function openStdioProxy({ connect, reconnect, write }: BridgeOptions): StdioProxy {
  const open = new Map<string | number, Message>();
  let handshake: { initialize?: string; initialized?: string } = {};
  let connection: Promise<Socket> | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isClosed = false;
  let onAnswer = () => {};

  const markAnswered = (id: string | number): void => {
    open.delete(id);
    if (open.size === 0) onAnswer();
  };

  const connectionLost = (socket: Promise<Socket>): void => {
    if (connection !== socket) return;
    connection = undefined;
    for (const id of open.keys()) write(jsonRpcError(id, LOST));
    open.clear();
    onAnswer();
    if (!isClosed) lookAgain();
  };

  const read = async (socket: Socket, self: () => Promise<Socket> | undefined, onReplayed: (answer: Message) => void): Promise<void> => {
    try {
      for await (const line of readLimitedLines(socket, MAX_LINE)) {
        if ("tooLong" in line) continue;
        const message = parseMessage(line.text);
        const { id, method } = message;
        if (id === REPLAYED) onReplayed(message);
        else write(line.text);
        if (id !== undefined && method === undefined) markAnswered(id);
      }
    } catch {
      // the connection broke, which its end says
    }
    const own = self();
    if (own) connectionLost(own);
  };

  /** Repeats the client's handshake on a new connection. */
  const begin = async (opened: Promise<Socket | undefined>): Promise<Socket> => {
    const socket = await opened;
    if (!socket) throw new Error("the daemon is not running");
    socket.on("error", () => socket.destroy());
    const replayed = Promise.withResolvers<Message>();
    read(socket, () => connection, replayed.resolve).catch(() => undefined); // it ends with the connection
    const { initialize, initialized } = handshake;
    if (initialize === undefined) return socket;
    socket.write(`${JSON.stringify({ ...(JSON.parse(initialize) as object), id: REPLAYED })}\n`);
    const { capabilities = {} } = await replayed.promise;
    if (initialized !== undefined) socket.write(`${initialized}\n`);
    for (const what of LISTS.filter((each) => isListening(capabilities[each])))
      write(JSON.stringify({ jsonrpc: "2.0", method: `notifications/${what}/list_changed` }));
    return socket;
  };

  const attach = (opened: Promise<Socket | undefined>): Promise<Socket> => {
    clearTimeout(looking);
    const attaching = begin(opened);
    connection = attaching;
    attaching.catch(() => connection === attaching && (connection = undefined));
    return attaching;
  };

  /** Reconnects to a daemon that another client started. Does not start one. */
  const lookAgain = (): void => {
    looking = setTimeout(() => {
      if (connection || isClosed) return;
      attach(reconnect()).catch(lookAgain);
    }, LOOK_AGAIN_MS);
    looking.unref();
  };

  return {
    async send(line) {
      const { id, method } = parseMessage(line);
      if (id !== undefined && method !== undefined) open.set(id, { id, method });
      const before = connection ?? attach(connect());
      try {
        const socket = await before;
        if (method === "initialize") handshake = { initialize: line };
        if (method === "notifications/initialized") handshake = { ...handshake, initialized: line };
        if (!socket.write(`${line}\n`)) await new Promise<void>((done) => socket.once("drain", done).once("close", done));
      } catch (error) {
        if (id === undefined || method === undefined) return;
        write(jsonRpcError(id, error instanceof Error ? error.message : String(error)));
        markAnswered(id);
      }
    },
    async close(patienceMs) {
      if (open.size > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onAnswer = resolve;
        const enough = setTimeout(resolve, patienceMs);
        await promise;
        clearTimeout(enough);
      }
      isClosed = true;
      clearTimeout(looking);
      (await connection?.catch(() => undefined))?.destroy();
    },
  };
}

/** An error response. `id` is null if the request could not be parsed. */
export const jsonRpcError = (id: string | number | null, message: string, code = CONNECTION_CLOSED): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

/** Parses the fields that tell requests, responses and notifications apart. Returns an empty object for an invalid line. */
function parseMessage(line: string): Message {
  try {
    const { id, method, result } = JSON.parse(line) as Record<string, unknown>;
    const { capabilities } = (result ?? {}) as Record<string, unknown>;
    return {
      ...(typeof capabilities === "object" && capabilities !== null ? { capabilities: capabilities as Record<string, unknown> } : {}),
      ...(typeof id === "string" || typeof id === "number" ? { id } : {}),
      ...(typeof method === "string" ? { method } : {}),
    };
  } catch {
    return {}; // the daemon answers invalid messages
  }
}
