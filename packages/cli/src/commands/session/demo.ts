import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DEMO_MODEL, DEMO_PROMPT } from "@baton/core/protocol/demo";
import type { Request } from "@baton/core/protocol/request";
import { hangingIndent, contentWidth } from "../../render/layout.ts";
import { stopDaemon } from "../daemon/daemon.ts";
import { openDaemonConnection } from "../../connection/daemon-connection.ts";
import { modeColors, terminalStyle, printLines } from "../output.ts";
import { allowAnswer } from "../../run/request-policy.ts";
import { bufferEarlyInput } from "../../terminal/input/early-input.ts";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";

/**
 * The built-in demo: a scripted model in a copy of the sample project, with its own home and daemon. Everything except the
 * model is real. It deletes its files at the end.
 */
export async function demo(): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-demo-")));
  const workspace = path.join(folder, "seat-booking");
  cpSync(sampleFolder(), workspace, { recursive: true, filter: (file) => path.basename(file) !== "tour.json" });
  mkdirSync(path.join(folder, "home"), { mode: 0o700 });
  Object.assign(process.env, {
    BATON_HOME: path.join(folder, "home"),
    BATON_DEMO_SCRIPT: path.join(sampleFolder(), "tour.json"),
    BATON_MODEL: DEMO_MODEL,
  });
  delete process.env["BATON_DATABASE_URL"]; // the demo does not touch the user's own store
  const cleanUp = () => {
    endAtOnce(path.join(folder, "home", "daemon.json"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.on("exit", cleanUp);
  try {
    await tour(workspace);
  } finally {
    await stopDaemon({ silent: true });
    cleanUp();
    process.off("exit", cleanUp);
  }
}

async function tour(workspace: string): Promise<void> {
  let lost = () => {};
  const interactive = process.stdin.isTTY && process.stdout.isTTY;
  const early = interactive && process.env["TERM"] !== "dumb" ? bufferEarlyInput() : undefined;
  const link = await openDaemonConnection({ client: interactive ? "terminal" : "demo", onState: () => lost() });
  try {
    const modes = await link.api.daemon.modes.query();
    const style = terminalStyle(process.stdout, modeColors(modes));
    const notice = `The demo: a scripted model (${DEMO_MODEL}) in a copy of a small project, ${workspace}. Everything except the model is real.`;
    printLines([
      ...hangingIndent(style.ansi.bold(notice), "", contentWidth(style)),
      ...(interactive ? [style.ansi.dim("Answer with the digits. ? shows the keys, Ctrl+C twice leaves.")] : []),
      "",
    ]);
    const session = { workspace, mode: "code", model: DEMO_MODEL };
    if (early) {
      const { runTerminal } = await import("../../terminal/run-terminal.ts");
      await runTerminal({ link, modes, ...session, prompt: DEMO_PROMPT, last: true, early, settings: {}, onLink: (tell) => (lost = tell) });
      return;
    }
    const { lineClient } = await import("../../run/line-mode-client.ts");
    if (interactive) return void (await lineClient(link, { ...session, facts: true, prompt: DEMO_PROMPT }));
    const reason = await lineClient(link, { ...session, facts: false, prompt: DEMO_PROMPT, answerItself: demoAnswer });
    if (reason !== "completed") throw new CommandExit(`The demo ended early: ${reason ?? "no turn"}.`, EXIT_CODES.failed);
    printLines(["", "End of the demo. In a terminal you answer yourself: `baton demo`."]);
  } finally {
    await link.close();
  }
}

/** Ends the daemon when the client must exit at once, so that the daemon does not run without its home. */
function endAtOnce(discoveryFile: string): void {
  try {
    const discovery: unknown = JSON.parse(readFileSync(discoveryFile, "utf8"));
    if (typeof discovery === "object" && discovery !== null && "pid" in discovery && typeof discovery.pid === "number")
      process.kill(discovery.pid, "SIGTERM");
  } catch {
    return; // the daemon has ended already
  }
}

/** The demo takes the first choice, and allows once. */
const demoAnswer = (request: Request) => allowAnswer(request);

/** Next to the program, bundled or not. */
const sampleFolder = (): string =>
  fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../sample" : "../../../sample", import.meta.url));
