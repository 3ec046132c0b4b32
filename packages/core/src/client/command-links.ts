import { isRecord } from "../text/json.ts";
import { retryLink, type TRPCLink } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { isConnectionLost } from "./errors.ts";
import { messageSizeLink } from "./message-size-link.ts";

const RETRY_DELAY_MS = 50;

/** Creates an idempotency key. The daemon executes commands with the same id once. */
export const newCommandId = (): string => crypto.randomUUID();

/** The context of a call that must not be sent twice, because its effects would add up. */
export const SEND_ONCE = { context: { sendOnce: true } };

/**
 * The links of every client, in front of its transport. They reject messages that are too large, add a command id to each command, and
 * resend a command with the same id if the connection was lost, so that it takes effect once.
 */
export const commandLinks = <Router extends AnyRouter>(): TRPCLink<Router>[] => [
  messageSizeLink,
  commandIdLink,
  retryLink<Router>({
    retry: ({ op, error }) =>
      op.type === "mutation" && op.context["sendOnce"] !== true && hasCommandId(op.input) && isConnectionLost(error),
    retryDelayMs: () => RETRY_DELAY_MS,
  }),
];

const commandIdLink: TRPCLink<AnyRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => next(op.type === "mutation" ? { ...op, input: withCommandId(op.input) } : op).subscribe(observer));

const withCommandId = (input: unknown): unknown =>
  isRecord(input) && !hasCommandId(input) ? { ...input, commandId: newCommandId() } : input;

const hasCommandId = (input: unknown): boolean => isRecord(input) && input["commandId"] !== undefined;
