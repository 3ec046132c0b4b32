import { realpathSync } from "node:fs";
import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { sanitize } from "@baton/core/text/sanitize";
import { CommandExit, EXIT_CODES } from "../../connection/exit-codes.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { backgroundLines } from "../../render/lists/background.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

type Options = { here?: boolean; json?: boolean };

/** Lists the background commands of a session, or of the newest sessions. */
export async function listBackground(reference: string | undefined, { here = false, json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const of = reference === undefined ? {} : { sessionId: (await findSession(api, reference)).id };
    const rows = await api.command.list.query({ ...of, ...(here ? { workspace: realpathSync(process.cwd()) } : {}) });
    if (json) printJson(rows);
    else printLines(backgroundLines(rows, terminalStyle()));
  });
}

/** Prints the newest output of a command. With `follow` it continues until the command ends or the user stops it. */
export async function printOutput(reference: string, id: string, { follow = false }: { follow?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id: sessionId } = await findSession(api, reference);
    const end = await readOutput(api, { sessionId, id }, follow);
    process.stderr.write(end ? `(${backgroundStatusText(end)})\n` : follow ? "" : "(running; --follow also prints new output)\n");
  });
}

type End = Pick<BackgroundCommand, "status" | "exitCode">;

/** Prints what the daemon sends. Resolves with the end of the command, or with nothing if the reader stops before. */
function readOutput(api: Api, command: { sessionId: string; id: string }, follow: boolean): Promise<End | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (end?: End) => {
      subscription.unsubscribe();
      resolve(end);
    };
    let hasBegun = false;
    const subscription = api.command.follow.subscribe(command, {
      onData: ({ data: { text, end } }) => {
        hasBegun = true;
        process.stdout.write(sanitize(text));
        if (end) stop({ status: end.reason, exitCode: end.exitCode });
        else if (!follow) stop();
      },
      onError: (error) =>
        reject(hasBegun && refusalOf(error)?.code === "command_not_found" ? new CommandExit(ENDED, EXIT_CODES.failed) : error),
    });
    process.once("SIGINT", () => stop());
  });
}

const ENDED = "The daemon stopped, and the command ended with it. Baton does not keep the rest of its output.";

/** Stops a background command. */
export async function stopBackground(reference: string, id: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id: sessionId } = await findSession(api, reference);
    const end = await api.command.stop.mutate({ sessionId, id });
    if (json) printJson(end);
    else
      printLines([
        `${id} ${end.reason === "stopped" ? "is stopped" : `had ended before: ${backgroundStatusText({ status: end.reason, exitCode: end.exitCode })}`}.`,
      ]);
  });
}
