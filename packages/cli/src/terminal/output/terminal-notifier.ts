import { oneLine } from "@baton/core/text/sanitize";

const ESC = "\u001b";
const BELL = "\u0007";
const END = `${ESC}\\`;

/** `auto`: the terminal's own notifications, or the bell where it has none. */
type NotificationSetting = "auto" | "bell" | "off";

type AttentionOptions = {
  write: (sequence: string) => void;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** The name of the folder, for the title. */
  folder: string;
};

/** A user who has pressed a key within this time is looking at the terminal, if it does not report its focus. */
const LOOKING_MS = 20_000;
/** A turn that ends sooner needs no notification. */
const MIN_TURN_MS = 10_000;

/** Tells a user who looks elsewhere that a request is open or that a turn has ended, and shows the number of requests in the title. */
export class TerminalNotifier {
  readonly #options: AttentionOptions;
  #notifications: NotificationSetting = "auto";
  #title = true;
  #isFocused: boolean | undefined;
  #keyAt = 0;
  #open = new Set<string>();
  #turnSince: number | undefined;
  #shownTitle = "";

  constructor(options: AttentionOptions) {
    this.#options = options;
    this.#keyAt = options.now();
  }

  configure({
    notifications = "auto",
    title = true,
  }: {
    notifications?: NotificationSetting | undefined;
    title?: boolean | undefined;
  }): void {
    this.#notifications = notifications;
    this.#title = title;
  }

  /** The terminal got or lost the focus. */
  setFocused(focused: boolean): void {
    this.#isFocused = focused;
  }

  /** The user pressed a key. */
  keyPressed(): void {
    this.#keyAt = this.#options.now();
  }

  /** Compares the open requests and the turn with those of the last call. `turn`: when it started, undefined if none is running. */
  update({
    requests,
    turn,
    session,
  }: {
    requests: readonly { id: string; title: string }[];
    turn: number | undefined;
    session: string;
  }): void {
    const fresh = requests.filter(({ id }) => !this.#open.has(id));
    this.#open = new Set(requests.map(({ id }) => id));
    const [first] = fresh;
    if (first) this.#notify("Baton needs you", fresh.length === 1 ? first.title : `${fresh.length} requests are open`);
    const since = this.#turnSince;
    this.#turnSince = turn;
    if (since !== undefined && turn === undefined && !first && this.#options.now() - since >= MIN_TURN_MS)
      this.#notify("Baton is done", session);
    this.#showTitle(requests.length);
  }

  /** Gives the title back to the shell. */
  close(): void {
    if (this.#shownTitle !== "") this.#options.write(`${ESC}[23;2t`);
  }

  #showTitle(open: number): void {
    const title = `${open > 0 ? `(${open}) ` : ""}baton · ${this.#options.folder}`;
    if (!this.#title || title === this.#shownTitle) return;
    if (this.#shownTitle === "") this.#options.write(`${ESC}[22;2t`); // the terminal remembers the shell's title
    this.#shownTitle = title;
    this.#options.write(`${ESC}]2;${clean(title)}${BELL}`);
  }

  #notify(title: string, body: string): void {
    const isLooking = this.#isFocused ?? this.#options.now() - this.#keyAt < LOOKING_MS;
    if (isLooking || this.#notifications === "off") return;
    this.#options.write(this.#notifications === "bell" ? BELL : notification(title, body, this.#options.env));
  }
}

/** The sequence that makes this terminal show a notification. Terminals without one ring the bell; a multiplexer passes only the bell on. */
export function notification(title: string, body: string, env: AttentionOptions["env"]): string {
  const [head, text] = [clean(title), clean(body)];
  if (env["TMUX"] !== undefined || env["STY"] !== undefined || env["ZELLIJ"] !== undefined) return BELL;
  if (env["KITTY_WINDOW_ID"] !== undefined) return `${ESC}]99;i=1:d=0;${head}${END}${ESC}]99;i=1:p=body;${text}${END}`;
  const program = env["TERM_PROGRAM"] ?? "";
  if (/^(iTerm\.app|WezTerm|ghostty|WarpTerminal)$/.test(program) || env["WT_SESSION"] !== undefined)
    return `${ESC}]9;${head}: ${text}${BELL}${BELL}`;
  if (env["VTE_VERSION"] !== undefined || /^(foot|rxvt)/.test(env["TERM"] ?? ""))
    return `${ESC}]777;notify;${head.replaceAll(";", ",")};${text}${BELL}`;
  return BELL;
}

const MAX_TEXT = 120;

/** One line without control characters, so that a title of a session cannot end the sequence. */
const clean = (text: string): string => oneLine(text).slice(0, MAX_TEXT);
