import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

/** An MCP server with one tool, which runs a shell command. */
type Message = { id?: number | string; method?: string; params?: { arguments?: { command?: string }; protocolVersion?: string } };

const tools = [
  { name: "run", description: "Runs a command.", inputSchema: { type: "object", properties: { command: { type: "string" } } } },
];

function resultOf({ method, params }: Message): object | undefined {
  switch (method ?? "") {
    case "initialize":
      return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "shell", version: "1.0.0" } };
    case "tools/list":
      return { tools };
    case "tools/call": {
      const { stdout } = spawnSync("sh", ["-c", params?.arguments?.command ?? ""], { encoding: "utf8" });
      return { content: [{ type: "text", text: stdout }] };
    }
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined) return;
  const result = resultOf(message);
  const answer = result ? { result } : { error: { code: -32_601, message: "not supported" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer })}\n`);
});
