import { createInterface } from "node:readline";
import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import { sanitize } from "@baton/core/text/sanitize";
import { plainRequestLines } from "../render/transcript/plain-lines.ts";
import { requestLines } from "../render/request/request.ts";
import { terminalStyle } from "../commands/output.ts";

const TYPED_AHEAD_MS = 400;

/**
 * Asks for an answer on a terminal without redraw. Returns undefined if another client answered first. Ignores lines that
 * were typed before the request appeared.
 */
export function promptForAnswer(request: Request, mode: string, signal: AbortSignal): Promise<RequestAnswer | undefined> {
  const style = terminalStyle(process.stderr);
  const lines =
    style.ansi.level === "plain"
      ? plainRequestLines(request, 1, 1, style.home)
      : requestLines(request, { mode, nth: 1, of: 1 }, style, {}, "digits");
  process.stderr.write(`\n${lines.join("\n")}\n`);
  const shownAt = performance.now();
  const input = createInterface({ input: process.stdin, output: process.stderr });
  input.setPrompt("answer> ");
  return new Promise((settle) => {
    const done = (answer: RequestAnswer | undefined) => {
      settle(answer); // first, because closing settles without an answer
      input.close();
    };
    signal.addEventListener("abort", () => done(undefined), { once: true });
    input.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    input.on("close", () => settle(undefined));
    input.on("line", (line) => {
      const answer =
        performance.now() - shownAt < TYPED_AHEAD_MS
          ? "Ignored, because it was typed before the request appeared."
          : parseTypedAnswer(request, line);
      if (typeof answer !== "string") return done(answer);
      process.stderr.write(`${answer}\n`);
      input.prompt();
    });
    input.prompt();
  });
}

/** Parses a typed answer. Returns a hint if it is not valid. */
export function parseTypedAnswer(
  { choices, freeText, kind }: Pick<Request, "choices" | "freeText" | "kind">,
  line: string,
): RequestAnswer | string {
  const typed = line.trim();
  const numbered = choices.map(({ id, label }, i) => `${i + 1} ${kind === "approval" ? id : sanitize(label)}`).join(", ");
  const choice =
    choices[Number(typed) - 1] ??
    choices.find(({ id }) => id === typed) ??
    (typed === "d" ? choices.find(({ id }) => id === "deny") : undefined);
  if (choice) return { choice: choice.id };
  if (typed !== "" && freeText) return { text: typed };
  return `Type ${numbered}${freeText ? ", or an answer in your own words" : ""}.`;
}

/** The lines of a stream of JSON lines. Only a newline ends a line, because JSON strings may contain U+2028. */
export async function* readLines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
