/** One character of the screen and the codes of its style. */
type Cell = { text: string; style: string };

const ESC = "\u001b";
const SEQUENCE = /^\[([<>?0-9;]*)([@-~])|^[=>]/;

/** Everything that the terminal client draws: text, line feeds, cursor movements, erasing to the end, and styles. */
export class TerminalScreen {
  readonly #lines: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #style: string[] = [];

  write(data: string): void {
    for (let at = 0; at < data.length;) {
      const escape = data[at] === ESC ? SEQUENCE.exec(data.slice(at + 1)) : null;
      if (escape) {
        if (escape[2] !== undefined) this.#sequence(escape[1] ?? "", escape[2]);
        at += 1 + escape[0].length;
        continue;
      }
      const character = String.fromCodePoint(data.codePointAt(at) ?? 0);
      this.#character(character);
      at += character.length;
    }
  }

  /** The last rows as HTML, with a class for each code of a style. */
  html(rows: number): string {
    const end = this.#lines.findLastIndex((line) => line.some(({ text }) => text.trim() !== "")) + 1;
    return this.#lines
      .slice(Math.max(0, end - rows), end)
      .map(lineHtml)
      .join("\n");
  }

  #character(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#lines[++this.#row] ??= [];
    else if (character >= " ") {
      const line = (this.#lines[this.#row] ??= []);
      while (line.length < this.#column) line.push({ text: " ", style: "" });
      line[this.#column++] = { text: character, style: this.#style.join(" ") };
    }
  }

  #sequence(parameters: string, kind: string): void {
    const n = Number(parameters) || 1;
    if (kind === "A") this.#row = Math.max(0, this.#row - n);
    if (kind === "C") this.#column += n;
    if (kind === "m") this.#style = nextStyle(this.#style, parameters);
    if (kind !== "J" || parameters !== "") return;
    this.#lines.length = this.#row + 1;
    (this.#lines[this.#row] ??= []).length = this.#column;
  }
}

/** The codes that end other codes: bold and dim, underline, color. */
const ENDS: Readonly<Record<string, RegExp>> = { "22": /^[12]$/, "24": /^4$/, "39": /^(3\d|9\d|color-\d+)$/ };

function nextStyle(style: readonly string[], parameters: string): string[] {
  let next = [...style];
  for (const code of parameters.replaceAll(/38;5;(\d+)/g, "color-$1").split(";")) {
    if (code === "" || code === "0") next = [];
    else if (ENDS[code]) next = next.filter((each) => !ENDS[code]?.test(each));
    else next.push(code);
  }
  return next;
}

function lineHtml(line: readonly Cell[]): string {
  return Array.from(line, ({ text, style }) => {
    const safe = text.replace("&", "&amp;").replace("<", "&lt;");
    return style === "" ? safe : `<span class="${style.replaceAll(/(^| )(\d)/g, "$1s$2")}">${safe}</span>`;
  }).join("");
}
