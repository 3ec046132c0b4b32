/** What a key means where nothing is being typed. */
export type Shortcut =
  | { do: "answer"; nth: number }
  | { do: "next" | "previous" | "edit" | "note" | "full" | "prompt" | "help" | "inbox" | "search" | "pending" };

export type Pressed = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

/** `after` is what was pressed just before, as some deeds take two keys. */
export function shortcutFor({ key, ctrlKey, altKey, metaKey }: Pressed, after: string | undefined): Shortcut | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  if (after === "g" && key === "i") return { do: "inbox" };
  if (after === "g" && key === "s") return { do: "search" };
  if (/^[1-9]$/.test(key)) return { do: "answer", nth: Number(key) - 1 };
  return DEEDS[key] === undefined ? undefined : { do: DEEDS[key] };
}

const DEEDS: Record<string, Exclude<Shortcut["do"], "answer">> = {
  j: "next",
  k: "previous",
  e: "edit",
  n: "note",
  v: "full",
  p: "prompt",
  "/": "prompt",
  Escape: "prompt",
  "?": "help",
  g: "pending",
};

/** What the help says of them. */
export const KEYS: readonly [string, string][] = [
  ["1 … 9", "answer the request that is marked and in view"],
  ["J, K", "next request, the one before"],
  ["E, N, V", "of the request: edit the rule, note for the agent, full text"],
  ["Esc", "leaves a request open and goes to the prompt; from the prompt back to the request"],
  ["P or /", "to the prompt"],
  ["G I", "inbox: all that waits for you"],
  ["G S", "search sessions"],
  ["N", "new session, when no request is in view"],
  ["Enter", "in the prompt: sends; queues while it works"],
  ["Alt+Enter", "steers: comes in after the calls that are open now"],
  ["Shift+Enter", "breaks the line"],
  ["Shift+Tab", "in the prompt: next mode"],
  ["Esc in the prompt", "stops the turn when nothing waits for you"],
  ["@, /", "in the prompt: a file, a command"],
];
