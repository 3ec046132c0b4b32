import { WebSocketServer, type WebSocket } from "ws";

/** The floor for streaming: forwards each piece of a model's stream to one socket. */
const [url = ""] = process.argv.slice(2);
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
server.on("listening", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
server.on("connection", (socket) => {
  relay(socket).then(
    () => process.exit(),
    () => process.exit(1),
  );
});

async function relay(socket: WebSocket): Promise<void> {
  const body = JSON.stringify({ model: "m", stream: true, messages: [] });
  const response = await fetch(`${url}/chat/completions`, { method: "POST", headers: { "content-type": "application/json" }, body });
  if (!response.body) return;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) socket.send(chunk);
}
