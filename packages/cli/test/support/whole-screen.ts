import xterm from "@xterm/headless";

/** The screen of a whole terminal, without its scrollback. */
export class WholeScreen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #drawn: () => void;

  /** `drawn` is called after each change. */
  constructor(columns: number, rows: number, drawn: () => void) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, logLevel: "off" });
    this.#drawn = drawn;
  }

  write(data: string): void {
    this.#terminal.write(data, this.#drawn);
  }

  text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: this.#terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
    return lines.join("\n");
  }
}
