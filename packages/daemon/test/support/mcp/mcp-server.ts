import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server with its own faults. Its first argument selects the behaviour. A file may contain the description of `say`. */
const [kind = "good", descriptionFile = "", toldFile = ""] = process.argv.slice(2);

type Params = { name?: string; arguments?: { text?: string }; _meta?: { progressToken?: number } };
type Message = { id?: number | string; method?: string; params?: Params; result?: unknown };

const waiting = new Map<number | string, (result: unknown) => void>();
const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const tool = (name: string, description: string, annotations: object = {}) => ({
  name,
  description,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations,
});

const tools = () => [
  tool("say", existsSync(descriptionFile) ? readFileSync(descriptionFile, "utf8") : "Says what it is told.", {
    readOnlyHint: true,
    title: "Say",
  }),
  tool("environment", "Names of its variables."),
  tool("huge", "Answers with 100 MB."),
  tool("never", "Does not answer."),
  tool("die", "Ends."),
  tool("flood", "Prints without end."),
  tool("ask", "Asks the person."),
  tool("picture", "Shows a picture."),
  tool("spawn", "Starts a program that stays."),
];

/** Names that would collide, one that occurs twice, and one that is too large for a model. */
const odd = () => [
  ...["a.b", "a_b", "A-B", `long-${"x".repeat(70)}`, "twice", "twice", "_private"].map((name) =>
    tool(name, "", { destructiveHint: true, openWorldHint: false }),
  ),
  { ...tool("large", "Has a large schema."), inputSchema: { type: "object", description: "x".repeat(70_000) } },
];

switch (kind) {
  case "dead":
    process.exit(3);
    break;
  case "deaf":
    process.stdin.resume().on("end", () => process.exit(0));
    break;
  case "late":
    appendFileSync(toldFile, "started\n");
    setTimeout(listen, Number(descriptionFile));
    break;
  case "junk":
    process.stdout.write("Welcome to this server!\n{ not json\n");
    listen();
    break;
  default:
    listen();
}

function listen(): void {
  createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line) as Message));
  process.stdin.on("end", () => process.exit(0));
}

function answer({ id, method, params = {}, result }: Message): void {
  if (method === undefined) return waiting.get(id ?? "")?.(result);
  if (kind === "modern-dies" && method === "server/discover") process.exit(1);
  switch (method) {
    case "initialize":
      say({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } }, serverInfo } });
      return;
    case "tools/list":
      say({ id, result: { tools: kind === "odd" ? odd() : tools() } });
      return;
    case "tools/call":
      return call(id, params);
    case "notifications/cancelled":
      if (toldFile !== "") appendFileSync(toldFile, "cancelled\n");
      return;
    default:
      if (id !== undefined) say({ id, error: { code: -32601, message: "no such method" } });
  }
}

const serverInfo = { name: "fixture", version: "1" };

function call(id: Message["id"], { name, arguments: input = {}, _meta = {} }: Params): void {
  const text = (content: string) => say({ id, result: { content: [{ type: "text", text: content }] } });
  switch (name) {
    case "say":
      text(input.text ?? "");
      return;
    case "environment":
      text(Object.keys(process.env).sort().join(" "));
      return;
    case "huge":
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
      for (let i = 0; i < 100; i++) process.stdout.write("x".repeat(1_000_000));
      process.stdout.write(`"}]}}\n`);
      return;
    case "never":
      say({ method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: 1, total: 3, message: "working" } });
      return;
    case "picture":
      say({ id, result: { content: pictureOf(descriptionFile) } });
      return;
    case "die":
      process.exit(4);
      return;
    case "flood":
      return flood();
    case "spawn":
      text(String(spawn("sleep", ["600"], { stdio: "ignore", detached: true }).pid));
      return;
    case undefined:
      return;
    default:
      text(`this is ${name}`);
      return;
    case "ask": {
      waiting.set(`ask-${id}`, (result) => text(JSON.stringify(result)));
      const requestedSchema = {
        type: "object",
        properties: { colour: { type: "string", title: "Colour", enum: ["red", "blue"] } },
        required: ["colour"],
      };
      say({ id: `ask-${id}`, method: "elicitation/create", params: { message: "Which colour?", requestedSchema } });
    }
  }
}

/** A file as an image, under a wrong file extension; a sound; and an image in a format that models do not read. */
function pictureOf(file: string): object[] {
  return [
    { type: "text", text: "This is what I see." },
    { type: "image", mimeType: "image/jpeg", data: readFileSync(file).toString("base64") },
    { type: "audio", mimeType: "audio/wav", data: "UklGRg==" },
    { type: "image", mimeType: "image/bmp", data: "Qk0=" },
  ];
}

function flood(): void {
  while (process.stderr.write(`${"flood ".repeat(2_000)}\n`));
  process.stderr.once("drain", flood);
}
