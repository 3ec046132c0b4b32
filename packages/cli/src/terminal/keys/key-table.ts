/** The keys that the help in the terminal shows, with their description. */
export const promptKeys: readonly (readonly [keys: string, about: string])[] = [
  ["Enter", "sends; queues during a turn"],
  ["Alt+Enter", "steers: the prompt comes in after the open calls"],
  ["\\ Enter, Ctrl+J", "breaks the line, like Shift+Enter"],
  ["Shift+Tab", "next mode"],
  ["Alt+E", "accepts edits in this session, or asks again"],
  ["Tab", "next request; completes @ and /"],
  ["1 … 9", "answer the request"],
  ["d  e  n  v", "deny, edit rule, note, full text (in an approval)"],
  ["Esc", "leaves a request open, or stops the turn"],
  ["Esc Esc", "rewinds to an earlier prompt, with or without files"],
  ["Ctrl+R", "searches your prompts"],
  ["! command", "runs in your shell; its output goes to your next prompt"],
  ["Ctrl+G", "inbox: all open requests"],
  ["Ctrl+O", "all of the last call"],
  ["Ctrl+T", "the whole session in your pager"],
  ["Ctrl+X", "edits the prompt in your editor"],
  ["Up, Down", "your earlier prompts"],
  ["Ctrl+C twice", "leaves; the turn continues"],
];

/** Keys that move the cursor and edit text, as in a shell. */
export const editingKeys: readonly (readonly [keys: string, about: string])[] = [
  ["Left, Right, Ctrl+B, Ctrl+F", "moves by a character"],
  ["Ctrl+Left, Ctrl+Right, Alt+B, Alt+F", "moves by a word"],
  ["Home, End, Ctrl+A, Ctrl+E", "moves to the start or the end of the line"],
  ["Backspace, Ctrl+H, Delete", "deletes a character"],
  ["Ctrl+W, Alt+Backspace", "deletes the word before the cursor"],
  ["Ctrl+U, Ctrl+K", "deletes to the start or the end of the line"],
  ["Ctrl+L", "draws the screen again"],
  ["?", "shows the help, in an empty line"],
  ["Ctrl+D", "leaves, in an empty line"],
];
