/** The action of a key outside of text fields. */
export type Shortcut =
  | { do: "answer"; nth: number }
  | { do: "next" | "previous" | "edit" | "note" | "full" | "prompt" | "help" | "inbox" | "search" | "board" | "pending" | "nextAnywhere" };

type Pressed = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

/** `after` is the previous key, because some shortcuts have two keys. */
export function shortcutFor({ key, ctrlKey, altKey, metaKey }: Pressed, after: string | undefined): Shortcut | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  if (after === "g" && key === "i") return { do: "inbox" };
  if (after === "g" && key === "s") return { do: "search" };
  if (after === "g" && key === "b") return { do: "board" };
  if (/^[1-9]$/.test(key)) return { do: "answer", nth: Number(key) - 1 };
  return SHORTCUTS[key] === undefined ? undefined : { do: SHORTCUTS[key] };
}

const SHORTCUTS: Record<string, Exclude<Shortcut["do"], "answer">> = {
  j: "next",
  J: "nextAnywhere",
  k: "previous",
  e: "edit",
  n: "note",
  w: "full",
  v: "full",
  p: "prompt",
  "/": "prompt",
  Escape: "prompt",
  "?": "help",
  g: "pending",
};

/** The keys with their description. */
export const SHORTCUT_HELP: readonly [string, string][] = [
  ["1 … 9", "answer the active request"],
  ["J, K", "next, previous request in this session"],
  ["Shift+J", "next request in any session"],
  ["Ctrl+K", "all commands"],
  ["E, N, W", "edit the rule, write a note, show why a request asks"],
  ["Esc", "leaves a request open and goes to the prompt, or back"],
  ["P or /", "to the prompt"],
  ["G I", "inbox: all open requests"],
  ["G S", "search sessions"],
  ["G B", "board: all sessions by state"],
  ["A, X", "on the board: go to the request of a session, archive it"],
  ["N", "new session, when no request is in view"],
  ["Enter", "in the prompt: sends; queues during a turn"],
  ["Alt+Enter", "steers: the prompt comes in after the open calls"],
  ["Shift+Enter", "breaks the line"],
  ["Shift+Tab", "in the prompt: next mode"],
  ["Esc in the prompt", "stops the turn if nothing needs you"],
  ["@, /", "in the prompt: complete a file, a command"],
];
