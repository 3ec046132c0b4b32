// A server on standard input and output with the tools that the documents name.
import { createInterface } from "node:readline";

type Message = { id?: number; method: string; params?: { protocolVersion?: string } };

const tools = ["read_text", "search"].map((name) => ({ name, description: `${name} of the test`, inputSchema: { type: "object" } }));

function resultOf({ method, params }: Message): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "documents", version: "1" },
      };
    case "tools/list":
      return { tools };
    case "tools/call":
      return { content: [{ type: "text", text: "done" }] };
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined) return;
  const result = resultOf(message);
  const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer })}\n`);
});
