import * as z from "zod";

/** What a page inside an editor says to the extension that hosts it. `id` is the page's own and names one call. */
export const FromPage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("call"),
    id: z.number().int(),
    type: z.enum(["query", "mutation", "subscription"]),
    path: z.string(),
    input: z.unknown().optional(),
  }),
  /** Nobody waits for this call any more. */
  z.object({ kind: z.literal("stop"), id: z.number().int() }),
  /** What the page shows now. */
  z.object({ kind: z.literal("at"), page: z.enum(["home", "new", "session", "settings"]), session: z.string().nullable() }),
  /** The daemon is to be found, or started: somebody has asked for it. */
  z.object({ kind: z.literal("connect") }),
  /** A file of a workspace, to be opened in the editor; `line` counts from 1. */
  z.object({ kind: z.literal("open"), path: z.string(), line: z.number().int().positive().optional(), workspace: z.string().optional() }),
]);
export type FromPage = z.infer<typeof FromPage>;

/** How the host stands with the daemon; `since` in epoch milliseconds, `problem` why it could not be started again. */
export type HostState = { kind: "connecting" } | { kind: "connected" } | { kind: "lost"; since: number; problem?: string };

/** What the extension says to the page. `item` answers a query or a mutation, or is one of many of a subscription. */
export type ToPage =
  | { kind: "state"; state: HostState }
  | { kind: "item"; id: number; data: unknown }
  | { kind: "ended"; id: number }
  /** `error` is as the daemon gave it; without it the call was lost on the way and may be made again. */
  | { kind: "failed"; id: number; message: string; error?: unknown }
  /** A place inside the page, such as `#/session/abc`. */
  | { kind: "go"; place: string }
  /** Text that is put into the prompt, which then has the focus. */
  | { kind: "insert"; text: string }
  /** What `@` offers before files: of the active editor. */
  | { kind: "mentions"; mentions: readonly Mention[] };

/** A text that a prompt names something by, and what that is. */
export type Mention = { text: string; about: string };

/**
 * What the host writes into the page before it runs: the folders of the workspace as real paths, where to begin, and
 * whether the page is drawn in a view, which has a title and buttons of its own, or in an editor tab.
 */
export const Hosted = z.object({ folders: z.array(z.string()), place: z.string(), where: z.enum(["view", "tab"]) });
export type Hosted = z.infer<typeof Hosted>;
