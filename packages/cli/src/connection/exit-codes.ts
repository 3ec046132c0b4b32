/** Exit codes, a contract with scripts. */
export const EXIT = { done: 0, failed: 1, usage: 2, requestLeft: 3, denied: 4, noDaemon: 5, interrupted: 130 } as const;

/** Ends the command with this message for people and this exit code. */
export class Stop extends Error {
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

export const usage = (message: string): Stop => new Stop(message, EXIT.usage);
