import * as z from "zod";

/** A message of a page to the extension that hosts it. `id` belongs to the page and identifies one call. */
export const FromPage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("call"),
    id: z.number().int(),
    type: z.enum(["query", "mutation", "subscription"]),
    path: z.string(),
    input: z.unknown().optional(),
  }),
  /** The page no longer waits for this call. */
  z.object({ kind: z.literal("stop"), id: z.number().int() }),
  /** The page that is visible now. */
  z.object({ kind: z.literal("at"), page: z.enum(["home", "new", "session", "settings"]), session: z.string().nullable() }),
  /** Find or start the daemon, because the user asked for it. */
  z.object({ kind: z.literal("connect") }),
  /** Open a file of a workspace in the editor. `line` counts from 1. */
  z.object({ kind: z.literal("open"), path: z.string(), line: z.number().int().positive().optional(), workspace: z.string().optional() }),
]);
export type FromPage = z.infer<typeof FromPage>;

/** The host's connection to the daemon. `since` is in epoch milliseconds; `problem` says why the daemon could not be restarted. */
export type HostState = { kind: "connecting" } | { kind: "connected" } | { kind: "lost"; since: number; problem?: string };

/** A message of the extension to the page. `item` answers a query or a mutation, or is one of many items of a subscription. */
export type ToPage =
  | { kind: "state"; state: HostState }
  | { kind: "item"; id: number; data: unknown }
  | { kind: "ended"; id: number }
  /** `error`: the daemon's error. Without it the call was lost on the way, and the page may repeat it. */
  | { kind: "failed"; id: number; message: string; error?: unknown }
  /** Go to a place in the page, such as `#/session/abc`. */
  | { kind: "go"; place: string }
  /** Insert text into the prompt and focus it. */
  | { kind: "insert"; text: string }
  /** Suggestions for `@` from the active editor, shown before files. */
  | { kind: "mentions"; mentions: readonly Mention[] };

/** A text that refers to something in a prompt, and its description. */
export type Mention = { text: string; about: string };

/**
 * Data that the host writes into the page before it runs: the workspace folders as absolute paths, the place to begin, and whether the page
 * is in a view, which has its own title and buttons, or in an editor tab.
 */
export const WebviewInitData = z.object({ folders: z.array(z.string()), place: z.string(), where: z.enum(["view", "tab"]) });
export type WebviewInitData = z.infer<typeof WebviewInitData>;
