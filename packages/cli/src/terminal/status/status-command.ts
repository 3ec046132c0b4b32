import { runStatusCommand, type StatusResult } from "./run-status-command.ts";

type StatusCommandOptions = {
  command: string;
  cwd: string;
  /** The JSON for the command, as of now. */
  input: () => object;
  /** Called when there is another line. */
  onChange: () => void;
  /** Called when the command begins to fail. */
  onProblem: (problem: string) => void;
};

/** The least time between two starts of the command. */
export const MIN_INTERVAL_MS = 300;
const TIMEOUT_MS = 2_000;

/** The line of a command of the user. The command runs when its input has changed, one run at a time. */
export class StatusCommand {
  readonly #options: StatusCommandOptions;
  readonly #closed = new AbortController();
  #line: string | undefined;
  #problem: string | undefined;
  #shownInput = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StatusCommandOptions) {
    this.#options = options;
  }

  /** The newest line. Undefined before the first one, and while the command fails. */
  get line(): string | undefined {
    return this.#line;
  }

  /** Runs the command soon, if its input has changed. */
  update(): void {
    if (this.#timer === undefined && !this.#closed.signal.aborted && JSON.stringify(this.#options.input()) !== this.#shownInput)
      this.#timer = setTimeout(() => void this.#run(), this.#shownInput === "" ? 0 : MIN_INTERVAL_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
  }

  async #run(): Promise<void> {
    const { command, cwd, input } = this.#options;
    const statusInput = input();
    this.#shownInput = JSON.stringify(statusInput);
    const result = await runStatusCommand(command, statusInput, { cwd, timeoutMs: TIMEOUT_MS, signal: this.#closed.signal });
    this.#timer = undefined;
    if (this.#closed.signal.aborted) return;
    this.#take(result);
    this.update();
  }

  #take(result: StatusResult): void {
    const { onChange, onProblem } = this.#options;
    const [line, problem] = "line" in result ? [result.line, undefined] : [undefined, result.problem];
    const isNew = line !== this.#line;
    if (problem !== undefined && problem !== this.#problem) onProblem(problem);
    this.#line = line;
    this.#problem = problem;
    if (isNew) onChange();
  }
}
