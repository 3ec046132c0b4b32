import { TestDaemon } from "../test/support/daemon.ts";
import { ModelServer } from "../test/support/model-server.ts";
import { median } from "./table.ts";
import { readFileSync } from "node:fs";
const STEPS = Number(process.argv[2] ?? 100);
const model = await ModelServer.start({
  replies: [...Array.from({ length: STEPS }, () => ({ calls: [{ tool: "read_file", input: { path: "notes.txt" } }] })), { text: "Done." }],
});
const daemon = await TestDaemon.start({
  args: process.argv.slice(3),
  config: { model: "local/m", providers: { local: { kind: "openai-compatible", baseUrl: model.url } } },
});
daemon.write("notes.txt", "A line of text.\n".repeat(40));
const { api } = daemon.connect();
const { id } = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: daemon.workspace });
await api.session.send.mutate({
  sessionId: id,
  commandId: crypto.randomUUID(),
  wish: { type: "prompt", promptId: crypto.randomUUID(), text: "go", delivery: "queue", stepLimit: 1000 },
});
while (model.requests.length <= STEPS) await new Promise((r) => setTimeout(r, 20));
const g = model.requests.slice(1).map(({ at }, i) => at - (model.answeredAt[i] ?? at));
const st = readFileSync(`/proc/${daemon.pid}/stat`, "utf8").split(" ");
console.log(
  "median",
  median(g.slice(3)).toFixed(2),
  "cpu/step",
  (((Number(st[13]) + Number(st[14])) * 10) / STEPS).toFixed(2),
  "rss",
  ((await api.daemon.status.query()).memory / 2 ** 20).toFixed(0),
  readFileSync(`/proc/${daemon.pid}/status`, "utf8")
    .match(/RssAnon.*|RssFile.*/g)
    ?.join(" "),
);
await daemon.kill("SIGTERM");
process.exit();
