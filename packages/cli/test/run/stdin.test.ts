import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openHome, type Home } from "../support/home.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Runs `baton run` through a shell, and returns the prompt that the model received. */
async function prompted(home: Home, script: string) {
  const model = home.script({ text: "Hello." });
  const env = { ...home.env, BATON: `${process.execPath} ${CLIENT}`, MODEL: model };
  const child = spawn("bash", ["-c", script], { cwd: home.workspace, env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const received = out.split("\n").find((line) => line.includes('"type":"prompt.received"'));
  const prompt = received === undefined ? undefined : (JSON.parse(received) as { text: string });
  return { code, err, prompt: prompt?.text };
}

test.each([
  ["a pipe", "printf 'one\\ntwo\\n' | $BATON run review --json --model $MODEL", "review\n\n<stdin>\none\ntwo\n</stdin>"],
  [
    "a slow pipe",
    "(sleep 1; echo one; sleep 1; echo two) | $BATON run review --json --model $MODEL",
    "review\n\n<stdin>\none\ntwo\n</stdin>",
  ],
  ["a file", "$BATON run review --json --model $MODEL < in.txt", "review\n\n<stdin>\nin the file\n</stdin>"],
  ["an empty pipe", ": | $BATON run review --json --model $MODEL", "review"],
  ["/dev/null", "$BATON run review --json --model $MODEL < /dev/null", "review"],
  ["nothing at all", "$BATON run review --json --model $MODEL <&-", "review"],
  ["blank lines", "printf '\\n\\n' | $BATON run review --json --model $MODEL", "review"],
  ["a dash", "echo all | $BATON run - --json --model $MODEL", "all"],
  ["no prompt", "echo all | $BATON run --json --model $MODEL", "all"],
  [
    "what reads like a command",
    "echo '/nosuch @x.png' | $BATON run review --json --model $MODEL",
    "review\n\n<stdin>\n/nosuch @x.png\n</stdin>",
  ],
])("the prompt is complete with %s on standard input", async (_, script, prompt) => {
  await using home = openHome();
  writeFileSync(path.join(home.workspace, "in.txt"), "in the file\n");
  expect(await prompted(home, script)).toMatchObject({ code: 0, prompt });
});

test("a pipe without data does not delay the prompt, and is reported", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello." });
  const child = spawn(process.execPath, [CLIENT, "run", "review", "--model", model], {
    cwd: home.workspace,
    env: home.env,
    stdio: ["pipe", "pipe", "pipe"],
  }); // its standard input stays open
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect({ out, code }).toEqual({ out: "Hello.\n", code: 0 });
  expect(err).toContain("No input arrived");
});
