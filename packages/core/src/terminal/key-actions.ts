/** An action of the terminal with its default keys. */
export type ActionEntry = { keys: readonly string[]; about: string };

const action = (keys: readonly string[], about: string): ActionEntry => ({ keys, about });

/** The actions that do more than edit the prompt, in the order of the help. */
export const promptActions = {
  send: action(["enter"], "sends; queues during a turn"),
  steer: action(["alt+enter"], "steers: the prompt comes in after the open calls"),
  newLine: action(["shift+enter", "ctrl+j"], "breaks the line, like \\ before Enter"),
  nextMode: action(["shift+tab"], "next mode"),
  acceptEdits: action(["alt+e"], "accepts edits in this session, or asks again"),
  nextRequest: action(["tab"], "next request"),
  cancel: action(["escape"], "leaves a request open, or stops the turn; twice: rewinds to an earlier prompt"),
  searchHistory: action(["ctrl+r"], "searches your prompts"),
  previousPrompt: action(["up"], "row above, or earlier prompt"),
  nextPrompt: action(["down"], "row below, or later prompt"),
  inbox: action(["ctrl+g"], "inbox: all open requests"),
  expandCall: action(["ctrl+o"], "the last call in full"),
  transcript: action(["ctrl+t"], "the whole session in your pager"),
  externalEditor: action(["ctrl+x"], "edits the prompt in your editor"),
  pasteImage: action(["ctrl+v"], "attaches the image of the clipboard"),
  redraw: action(["ctrl+l"], "draws the screen again"),
  leave: action(["ctrl+c"], "twice: leaves; the turn continues"),
  leaveIfEmpty: action(["ctrl+d"], "leaves, in an empty line"),
} as const satisfies Record<string, ActionEntry>;

/** The actions that move the cursor and edit text, with the keys of a shell. */
export const editActions = {
  cursorLeft: action(["left", "ctrl+b"], "moves left by a character"),
  cursorRight: action(["right", "ctrl+f"], "moves right by a character"),
  wordLeft: action(["ctrl+left", "alt+left", "alt+b"], "moves left by a word"),
  wordRight: action(["ctrl+right", "alt+right", "alt+f"], "moves right by a word"),
  lineStart: action(["home", "ctrl+a"], "moves to the start of the line"),
  lineEnd: action(["end", "ctrl+e"], "moves to the end of the line"),
  deleteLeft: action(["backspace"], "deletes the character before the cursor"),
  deleteRight: action(["delete"], "deletes the character at the cursor"),
  deleteWordLeft: action(["ctrl+w", "alt+backspace"], "deletes the word before the cursor"),
  deleteLineLeft: action(["ctrl+u"], "deletes to the start of the line"),
  deleteLineRight: action(["ctrl+k"], "deletes to the end of the line"),
} as const satisfies Record<string, ActionEntry>;

export const keyActions = { ...promptActions, ...editActions } as const;

export type EditAction = keyof typeof editActions;
export type KeyAction = keyof typeof keyActions;

export const keyActionNames = Object.keys(keyActions) as KeyAction[]; // the table has only these keys

/** The actions without which the terminal cannot be used. They keep at least one key. */
export const requiredActions: ReadonlySet<KeyAction> = new Set(["send", "cancel", "leave"]);
