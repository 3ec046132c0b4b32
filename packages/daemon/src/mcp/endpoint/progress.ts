import type { ServerContext } from "@modelcontextprotocol/server";
import type { ClientExchange } from "../../tool/tool-types.ts";

/** What a client that listens for progress is told of its call. */
export type Progress = {
  /** Says now and then that a person is asked, so that the client does not give up. */
  waiting: () => void;
  tell: ClientExchange["onProgress"];
  end: () => void;
};

const REMIND_MS = 10_000;
/** Reminders have to go up, and to leave room for what the server says afterwards. */
const STEP = 1e-6;

export function openProgress({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let reminding: NodeJS.Timeout | undefined;
  let last = -Infinity;
  const send = (progress: number, more: { total?: number | undefined; message?: string | undefined }) => {
    if (progressToken === undefined || progress <= last) return; // the protocol wants each to be above the one before
    last = progress;
    const { total, message } = more;
    const params = {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // a client that is gone needs none
  };
  const remind = () => send(last === -Infinity ? STEP : last + STEP, { message: "Waits for the person, in Baton's inbox." });
  return {
    waiting() {
      if (progressToken === undefined) return;
      remind();
      reminding = setInterval(remind, REMIND_MS);
    },
    tell: ({ progress, ...more }) => send(progress, more),
    end: () => clearInterval(reminding),
  };
}
