import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/command-terminal-frame";

export type TerminalProgram = { file: string; args: readonly string[]; cwd: string; env: Record<string, string> };

/**
 * The screen of a terminal as text. `above`: lines that left it at the top since the last look. `omitted`: the number of such lines that are
 * left out, at least.
 */
export type TerminalScreen = TerminalSize & {
  text: string;
  above: string;
  omitted: number;
  cursor: { row: number; column: number };
  /** A program that fills the whole screen has it, such as an editor. */
  fullScreen: boolean;
};

/** The end of a program, with its last screen. */
export type TerminalEnd = { exitCode: number | null; signal: NodeJS.Signals | null; screen: TerminalScreen; frame: TerminalFrame };

/** How long to wait before a look: until the output is quiet for `quietMs`, but not longer than `mostMs`. */
export type QuietWait = { quietMs: number; mostMs: number };

/** Asks the host of terminals. `terminal` is a number that the daemon chooses. */
export type TerminalHostRequest =
  | ({ type: "open"; terminal: number; size: TerminalSize } & TerminalProgram)
  | ({ type: "look"; terminal: number } & QuietWait)
  | { type: "frame"; terminal: number; viewer: string };

/** Tells the host something that needs no answer. */
export type HostNote =
  | { type: "write"; terminal: number; data: string }
  | { type: "resize"; terminal: number; size: TerminalSize }
  | { type: "leave"; terminal: number; viewer: string }
  | { type: "hangUp"; terminal: number };

export type HostResults = { open: { pid: number }; look: TerminalScreen; frame: TerminalFrame };

export type HostMessage = HostNote | (TerminalHostRequest & { id: number });

export type HostReply =
  | { id: number; result: HostResults[keyof HostResults] }
  | { id: number; problem: string }
  | { text: string; terminal: number }
  | { end: TerminalEnd; terminal: number };
