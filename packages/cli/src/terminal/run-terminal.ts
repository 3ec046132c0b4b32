import { homedir } from "node:os";
import { keyBindings } from "@baton/core/terminal/key-bindings";
import type { AdditionalRoot } from "@baton/core/protocol/event";
import { runDetached } from "@baton/core/client/run-detached";
import { ansiStyle, colorLevel } from "../render/ansi-style.ts";
import type { TerminalSettings } from "../connection/terminal-settings.ts";
import type { DaemonConnection, Modes } from "../connection/daemon-connection.ts";
import { modeColors } from "../commands/output.ts";
import { TerminalClient } from "./terminal-client.ts";
import { openSession, pickModel } from "./commands/pickers.ts";
import type { EarlyInput } from "./input/early-input.ts";
import { openHistory } from "./input/history.ts";
import { keyReader } from "./input/key-decoder.ts";
import { updateCompletion } from "./input/refresh-completion.ts";
import { handleKey } from "./keys/handle-key.ts";
import { openScreen } from "./output/screen.ts";

type TerminalOptions = {
  link: DaemonConnection;
  modes: Modes;
  workspace: string;
  mode: string;
  model?: string | undefined;
  /** The settings of the terminal. */
  settings: TerminalSettings;
  /** The configured model, used if none is chosen. */
  usualModel?: string | undefined;
  /** Folders of a new session besides its workspace. */
  roots?: readonly AdditionalRoot[] | undefined;
  sessionId?: string | undefined;
  /** Sent as the first prompt. */
  prompt?: string | undefined;
  /** The user's first choice: a session, or the default model. */
  pick?: "session" | "model" | undefined;
  /** Whether the session ends with this client. Then nothing is printed about continuing it. */
  last?: boolean;
  /** Keys typed while the client started. */
  early?: EarlyInput | undefined;
  /** Registers a callback for changes of the connection. */
  onLink: (tell: () => void) => void;
};

/** How long Baton waits after Esc for the rest of an escape sequence. */
const ESC_MS = 40;
const TICK_MS = 1_000;

/** Runs the interactive client in this process's terminal until the user leaves. */
export async function runTerminal({
  link,
  modes,
  workspace,
  mode,
  model,
  usualModel,
  roots,
  sessionId,
  prompt,
  pick,
  last = false,
  early,
  settings,
  onLink,
}: TerminalOptions): Promise<void> {
  const { stdin, stdout } = process;
  const screen = openScreen(stdout, stdin);
  const ansi = ansiStyle(colorLevel(process.env, true), modeColors(modes));
  const client: TerminalClient = new TerminalClient({
    link,
    screen,
    ansi,
    home: homedir(),
    history: openHistory(link.paths.state, workspace, (problem) => client.notify(problem)),
    modes,
    workspace,
    mode,
    model,
    usualModel,
    keys: keyBindings(settings.keys),
    vim: settings.vim,
    statusLine: settings.statusLine,
    roots,
  });
  client.attention.configure(settings);
  onLink(() => client.draw());
  const release = listen(client, early?.release() ?? []);
  try {
    client.followInbox();
    const learned = client.here.learnCommands().then(() => updateCompletion(client));
    runDetached(
      client.here.learnEnvironment().then(() => client.draw()),
      () => undefined, // the next turn asks again
    );
    runDetached(learned, () => undefined); // without them the completion stays as it was
    if (sessionId !== undefined) await client.openSession(sessionId);
    if (pick === "session") await openSession(client, "");
    if (pick === "model") await pickModel(client, { asDefault: true });
    client.draw();
    if (prompt !== undefined && pick === "model") client.line.setText(prompt); // it is sent once a model is picked
    else if (prompt !== undefined) {
      client.history.add(prompt);
      client.commandQueue.send(prompt, "queue");
    }
    await client.done.promise;
  } finally {
    release();
    screen.close();
  }
  const { id } = client.view() ?? {};
  if (id !== undefined && !last) stdout.write(`${client.busy() ? "The turn continues" : "The session is kept"}: baton attach ${id}\n`);
}

function listen(client: TerminalClient, early: readonly Buffer[]): () => void {
  const { stdin, stdout } = process;
  const reader = keyReader();
  let escape: NodeJS.Timeout | undefined;
  const data = (chunk: Buffer) => {
    clearTimeout(escape);
    for (const key of reader.read(chunk)) handleKey(client, key);
    if (reader.pending()) escape = setTimeout(() => reader.flush().forEach((key) => handleKey(client, key)), ESC_MS);
  };
  const leave = () => client.leave();
  const draw = () => client.draw();
  const tick = setInterval(() => client.busy() && client.draw(), TICK_MS);
  stdin.on("data", data);
  for (const chunk of early) data(chunk);
  stdin.on("end", leave);
  stdin.resume();
  stdout.on("resize", draw);
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, leave);
  return () => {
    clearInterval(tick);
    clearTimeout(escape);
    stdin.off("data", data);
    stdin.off("end", leave);
    stdin.pause();
    stdout.off("resize", draw);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, leave);
  };
}
