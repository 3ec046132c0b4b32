import { omitUndefined } from "@baton/core/text/omit-undefined";
import { SEND_ONCE } from "@baton/core/client/command-client";
import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import { drawFrame, RESTORE_TERMINAL, type TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { createTerminalInputQueue } from "@baton/core/terminal/command-terminal-input";
import { oneLine } from "@baton/core/text/sanitize";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { truncate, type TerminalStyle } from "../../render/layout.ts";
import { terminalStyle } from "../output.ts";

/** Ctrl+] leaves, as in telnet. No common program needs it. */
const LEAVE_KEY = "\u001d";
const MIN_ROWS = 3;

/** Shows the terminal of a command in this terminal, and passes all keys on except Ctrl+], until the user leaves or the command ends. */
export async function attachCommand(reference: string, id: string): Promise<void> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    throw usageError("`baton background attach` needs a terminal. Use `baton background output` to read the output.");
  await withConnection(async ({ api }) => {
    const { id: sessionId } = await findSession(api, reference);
    const row = (await api.command.list.query({ sessionId })).find((each) => each.id === id);
    if (!row?.terminal)
      throw usageError(
        `No command ${id} of this session has a terminal that this daemon knows. \`baton background ${reference}\` lists the commands.`,
      );
    const end = await attach(api, row, terminalStyle());
    process.stderr.write(end ? `(${backgroundStatusText(end)})\n` : `(${id} still runs)\n`);
  });
}

type End = Pick<BackgroundCommand, "status" | "exitCode">;

/** Resolves with the end of the command, or with nothing if the user leaves before. The last row shows how to leave. */
function attach(api: Api, { sessionId, id, command }: BackgroundCommand, style: TerminalStyle): Promise<End | undefined> {
  const { stdin, stdout } = process;
  const rows = (): number => Math.max(MIN_ROWS, stdout.rows) - 1;
  const ownSize = (): TerminalSize => ({ columns: Math.max(2, stdout.columns), rows: rows() });
  const hint = (): string => {
    const text = truncate(`Ctrl+] leaves · ${id} · ${oneLine(command)}`, stdout.columns - 1);
    return `\u001b7\u001b[${rows() + 1};1H\u001b[0m\u001b[2K${style.ansi.dim(text)}\u001b8`;
  };
  let isOurs = false;
  return new Promise((resolve, reject) => {
    const type = createTerminalInputQueue(
      ({ data, size }) => api.command.type.mutate({ sessionId, id, data, ...omitUndefined({ size }) }, SEND_ONCE),
      fail,
    );
    const onKeys = (data: string) => {
      const [before = "", ...after] = data.split(LEAVE_KEY);
      if (before !== "") type(before, isOurs ? undefined : ownSize());
      if (after.length > 0) leave();
    };
    const onResize = () => type("", ownSize());
    const subscription = api.command.watch.subscribe(
      { sessionId, id },
      {
        onData: ({ end, ...frame }) => {
          isOurs = frame.columns === ownSize().columns && frame.rows === rows();
          stdout.write(drawFrame(frame, { rows: rows(), scrollback: false }) + (frame.whole ? hint() : ""));
          if (end) leave({ status: end.reason, exitCode: end.exitCode });
        },
        onError: fail,
      },
    );
    const restore = (): void => {
      subscription.unsubscribe();
      stdin.off("data", onKeys);
      stdout.off("resize", onResize);
      process.off("exit", restoreScreen);
      restoreScreen();
      stdin.pause();
    };
    function leave(end?: End): void {
      restore();
      resolve(end);
    }
    function fail(error: unknown): void {
      restore();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
    stdin.setRawMode(true);
    stdout.write("\u001b[?1049h");
    process.once("exit", restoreScreen);
    stdin.setEncoding("utf8").on("data", onKeys);
    stdout.on("resize", onResize);
    type("", ownSize());
  });
}

function restoreScreen(): void {
  process.stdout.write(`${RESTORE_TERMINAL}\u001b[?1049l`);
  process.stdin.setRawMode(false);
}
