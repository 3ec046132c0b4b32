/**
 * A small language server: every line with the word `bad` is an error. Its argument selects how it misbehaves. `slow`: it publishes after
 * a second. `noisy`: it prints text between its messages. `flood`: it prints without end. `hang`: it never answers. `crash`: it exits
 * after the first text. `renames`: it answers to a renaming to `x` with the file `rename-x.json` or `rename.json` of its folder, and before that with `prepare.json`. It finds the definition in `definition.json`. `stubborn`: it does not stop when asked to.
 */
import { existsSync, readFileSync } from "node:fs";

const [, , manner = ""] = process.argv;

type Message = {
  id?: number;
  method: string;
  params?: { newName?: string; textDocument?: { uri: string; version: number; text?: string }; contentChanges?: { text: string }[] };
};

function send(message: object): void {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  if (manner === "noisy") process.stdout.write("warning: something is deprecated\n");
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  if (manner === "noisy") process.stdout.write("Content-Length: 7\r\n\r\nnothing");
}

function publish(uri: string, version: number, text: string): void {
  const diagnostics = text.split("\n").flatMap((line, i) => {
    const start = line.indexOf("bad");
    return start < 0
      ? []
      : [{ range: { start: { line: i, character: start }, end: { line: i, character: start + 3 } }, message: "This is bad.", severity: 1 }];
  });
  send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics } });
}

function handle({ id, method, params }: Message): void {
  if (manner === "hang") return;
  if (manner === "stubborn" && (method === "shutdown" || method === "exit")) return;
  if (method === "initialize") {
    const renameProvider = manner === "renames" ? { prepareProvider: true } : undefined;
    return send({ id, result: { capabilities: { textDocumentSync: 1, renameProvider, definitionProvider: manner === "renames" } } });
  }
  if (method === "exit") process.exit(0);
  if (method === "textDocument/definition") return send({ id, ...answerIn("definition.json", { result: null }) });
  if (method === "textDocument/prepareRename") return send({ id, ...answerIn("prepare.json", { result: { defaultBehavior: true } }) });
  if (method === "textDocument/rename")
    return send({ id, ...answerIn(`rename-${params?.newName}.json`, answerIn("rename.json", { result: null })) });
  if (id !== undefined) return send({ id, result: null });
  const { textDocument, contentChanges } = params ?? {};
  if (method !== "textDocument/didOpen" && method !== "textDocument/didChange") return;
  if (manner === "crash") process.exit(3);
  const text = contentChanges?.[0]?.text ?? textDocument?.text ?? "";
  const { uri, version } = textDocument ?? { uri: "", version: 0 };
  if (manner === "slow") setTimeout(() => publish(uri, version, text), 1_000);
  else publish(uri, version, text);
}

const answerIn = (file: string, otherwise: object): object =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : otherwise;

if (manner === "flood") {
  const noise = "x".repeat(100_000);
  const pour = (): void => void process.stdout.write(noise, () => setImmediate(pour));
  pour();
}
if (manner === "stubborn") process.on("SIGTERM", () => undefined);

let buffer = Buffer.alloc(0);
process.stdin.on("data", (chunk: Buffer) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = /^Content-Length: (\d+)\r\n\r\n/.exec(buffer.toString("latin1"));
    if (!head) return;
    const end = head[0].length + Number(head[1]);
    if (buffer.length < end) return;
    const message = JSON.parse(buffer.subarray(head[0].length, end).toString()) as Message;
    buffer = buffer.subarray(end);
    handle(message);
  }
});
if (manner !== "stubborn") process.stdin.on("end", () => process.exit(0));
