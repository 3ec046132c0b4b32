import { HostedTerminal } from "./terminal-process.ts";
import type { HostMessage, HostReply, HostResults } from "./terminal-host-messages.ts";

type Send = (reply: HostReply) => void;

/**
 * Runs programs in terminals for the daemon, in a process of its own. The process holds the terminals, so no other program that the daemon
 * starts inherits one, and a flood of output does not keep the daemon busy. If the daemon ends, the process ends its programs and itself.
 */
export function serveTerminals(channel: NodeJS.Process): void {
  const terminals = new Map<number, HostedTerminal>();
  const send: Send = (reply) => {
    if (channel.connected) channel.send?.(reply);
  };
  channel.on("message", (message: HostMessage) => {
    const terminal = terminals.get(message.terminal);
    switch (message.type) {
      case "open":
        return answer(send, message.id, async () => {
          const opened = new HostedTerminal(message, message.size, {
            onText: (text) => send({ text, terminal: message.terminal }),
            onEnd: (end) => {
              terminals.delete(message.terminal);
              send({ end, terminal: message.terminal });
            },
          });
          terminals.set(message.terminal, opened);
          return { pid: opened.pid };
        });
      case "look":
      case "frame":
        return answer(send, message.id, async () => {
          if (!terminal) throw new Error("the terminal has ended");
          return message.type === "look" ? terminal.look(message) : terminal.frame(message.viewer);
        });
      case "write":
        return terminal?.write(message.data);
      case "resize":
        return terminal?.resize(message.size);
      case "leave":
        return terminal?.leave(message.viewer);
      case "hangUp":
        return terminal?.hangUp();
    }
  });
  channel.on("disconnect", () => {
    for (const terminal of terminals.values()) terminal.kill();
    channel.exit(0);
  });
}

function answer(send: Send, id: number, work: () => Promise<HostResults[keyof HostResults]>): void {
  work().then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, problem: error instanceof Error ? error.message : String(error) }),
  );
}
