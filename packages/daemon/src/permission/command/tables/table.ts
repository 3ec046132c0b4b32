/**
 * What the arguments of one program mean. Flags are words with blanks between; what stands in none of the lists is
 * unknown, and then nothing is given.
 */
export type Table = {
  /** Flags without a value that leave it a program which only reads. */
  flags?: string;
  /** Flags with a value that is only text. */
  valued?: string;
  /** Long flags of `flags` that may carry `=value`. */
  optional?: string;
  /** Flags whose value, if there is one, is written right behind them: `-i.bak`, `--in-place=.bak`. */
  attached?: string;
  /** Flags whose value is a path that is looked at, read or written. */
  names?: string;
  reads?: string;
  writes?: string;
  /** Flags whose value is what the command is there to change, as its text says. */
  edits?: string;
  /** Flags whose value is a folder that it fills with files. */
  fills?: string;
  /** Flags that make it run a program, or load what steers it. Shortened ones count, too. */
  runs?: string;
  /** Flags by which it changes files under names that its other words do not tell. */
  renames?: string;
  /** Flags stand before the other words; behind the first of those, `-p` is the name of a file. */
  flagsFirst?: true;
  /** `-20` is a number. */
  numbers?: true;
  /** What the other words are; `none`: there may be none, without it nothing is known of them. */
  operands?: "text" | "names" | "reads" | "searches" | "edits" | "moves" | "none";
  /** A word `@FILE` stands for the arguments in that file. Source: "@file" in the manual of binutils. */
  atFiles?: true;
  /** Flags by which it changes the files that it would otherwise only read. */
  inPlace?: string;
  /** Flags by which it follows links below the folders that it is given. */
  follows?: string;
  /** One of these flags must be there. Without them the program does more: `netstat` asks a name server for each address. */
  requires?: string;
  /** What every other word has to look like. */
  only?: RegExp;
  /** The first word is text, unless one of these flags was there. */
  textFirst?: string;
  /** The first word is what is written. */
  firstEdited?: true;
  /** The last word is what is written, if there are at least two. */
  lastEdited?: true;
  /** It copies, moves or links: the last word, or what `-t` names, is where the others go. */
  into?: true;
  /** No word, whatever it is, can make it do more. */
  anything?: true;
  /** With flags that are known it does nothing but change the files that its words name. */
  onlyEdits?: true;
  /** It does more than read, so it is never given. */
  acts?: true;
};

export type Tables = Readonly<Record<string, Table>>;

/** Keys of a table whose values are flags. */
const LISTS: ReadonlySet<string> = new Set(
  "flags optional valued attached names reads writes edits fills runs renames inPlace follows textFirst requires verbs tasks dry".split(
    " ",
  ),
);

/**
 * Tables from text, so that a program is a few lines: `name | numbers operands=reads | flags: -a -b | valued: -n`, carried on
 * where the next line is indented. `@name` begins with what another one has, `key+: flags` adds to it, and `only` is an expression.
 */
export function parseTables<Row extends object = Table>(text: string): Record<string, Row> {
  const tables: Record<string, Row> = {};
  for (const entry of text.trim().split(/\n(?! )/)) {
    const [name = "", ...parts] = entry.replaceAll(/\n +/g, " ").split(/ \|(?: |$)/);
    const row: Record<string, unknown> = {};
    for (const part of parts.filter((each) => each !== "")) {
      const [, key = "", adds, value = ""] = /^(\w+)(\+|\/i)?: (.*)$/s.exec(part) ?? [];
      if (LISTS.has(key)) row[key] = adds === "+" ? `${String(row[key] ?? "")} ${value}`.trim() : value;
      else if (key !== "") row[key] = new RegExp(value, adds === "/i" ? "i" : "");
      else
        for (const word of part.split(" ")) {
          const [flag = "", set] = word.split("=");
          if (word.startsWith("@")) Object.assign(row, tables[word.slice(1)]);
          else row[flag] = set ?? true;
        }
    }
    for (const each of name.split(",")) tables[each] = row as Row;
  }
  return tables;
}
