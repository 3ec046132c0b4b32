import { WebSocketServer } from "ws";

/** The floor of streaming: takes a model's stream and passes each piece on to one socket, raw. */
const [url = ""] = process.argv.slice(2);
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
server.on("listening", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
server.on("connection", async (socket) => {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [] }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) socket.send(decoder.decode(chunk, { stream: true }));
  process.exit();
});
