import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const [url = "", steps = "0", kind = "read"] = process.argv.slice(2);
const run = promisify(execFile);
const messages: unknown[] = [
  { role: "system", content: "You are an agent." },
  { role: "user", content: "go" },
];
for (let step = 0; step <= Number(steps); step++) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages, tools: [] }),
  });
  await response.text();
  const result = kind === "read" ? await readFile(import.meta.filename, "utf8") : (await run("bash", ["-c", "true"])).stdout;
  messages.push({
    role: "assistant",
    content: "",
    tool_calls: [{ id: `c${step}`, type: "function", function: { name: "read_file", arguments: "{}" } }],
  });
  messages.push({ role: "tool", tool_call_id: `c${step}`, content: result });
}
