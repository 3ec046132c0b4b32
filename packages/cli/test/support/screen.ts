import stringWidth from "string-width";

const ESC = "\u001b";
const SEQUENCE = /^(?:\[([<>?0-9;]*)[ -/]*([@-~])|[=>])/;

/**
 * The part of a terminal that the client needs, with an unlimited scrollback: text, line feeds, cursor movements, and erasing to the end.
 * It ignores colours.
 */
export class TestScreen {
  #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #rest = "";

  write(data: string): void {
    const text = this.#rest + data;
    this.#rest = "";
    for (let at = 0; at < text.length;) {
      const escape = text[at] === ESC ? SEQUENCE.exec(text.slice(at + 1, at + 40)) : null;
      if (escape) {
        this.#sequence(escape[1] ?? "", escape[2] ?? "");
        at += 1 + escape[0].length;
      } else if (text[at] === ESC && text.length - at < 40) {
        this.#rest = text.slice(at);
        return;
      } else at += this.#character(text, at);
    }
  }

  text(): string {
    return this.#lines
      .map((line) =>
        Array.from(line, (cell) => cell ?? " ")
          .join("")
          .trimEnd(),
      )
      .join("\n");
  }

  #character(text: string, at: number): number {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#down();
    else if (character >= " ") {
      const cells = stringWidth(character);
      if (cells === 0) return character.length;
      const line = (this.#lines[this.#row] ??= []);
      line[this.#column] = character;
      if (cells === 2) line[this.#column + 1] = "";
      this.#column += cells;
    }
    return character.length;
  }

  #down(): void {
    this.#row++;
    this.#lines[this.#row] ??= [];
  }

  #sequence(parameters: string, kind: string): void {
    const n = Number(parameters) || 1;
    if (kind === "A") this.#row = Math.max(0, this.#row - n);
    if (kind === "C") this.#column += n;
    if (kind !== "J" || parameters !== "") return;
    this.#lines.length = this.#row + 1;
    (this.#lines[this.#row] ??= []).length = this.#column;
  }
}
