import { wordSet } from "./name-matcher.ts";
/** The meaning of the arguments of one program. Blanks separate flags. With a flag that is in no list, a call is never a read. */
export type Table = {
  /** Flags without a value. With them, a program that only reads still only reads. */
  flags?: string;
  /** Flags with a value that is only text. */
  valued?: string;
  /** Long flags of `flags` that may carry `=value`. */
  optional?: string;
  /** Flags with an optional value that is attached to the flag: `-i.bak`, `--in-place=.bak`. */
  attached?: string;
  /** Flags whose value is a path that the program inspects, proves its identity with, reads or writes. */
  names?: string;
  identifies?: string;
  reads?: string;
  writes?: string;
  /** Flags whose value is the path that the command is meant to change, as its text says. */
  edits?: string;
  /** Flags whose value is a folder that the program fills with files. */
  fills?: string;
  /** Flags that make the program run another one, or load something that controls it. Shortened flags count as well. */
  runs?: string;
  /** Flags that make the program change files under names that its other words do not show. */
  renames?: string;
  /** Flags come before the operands. After the first operand, `-p` is the name of a file. */
  flagsFirst?: true;
  /** `--` does not end the flags: `unzip -l -- --l -o x.zip` extracts files. */
  noEnd?: true;
  /** The program reads only one flag in each word. `-ps` is not `-p -s`. */
  alone?: true;
  /** In a cluster, a letter with a value takes the next word, and the letters behind it are flags: `tree -Lo 2 FILE`. */
  apart?: true;
  /** `-20` is a number. */
  numbers?: true;
  /**
   * The meaning of the operands. `searches`: reads everything below them, and follows symlinks there. `none`: there may be no operands. If it
   * is not set, the gate knows nothing about them.
   */
  operands?: "text" | "names" | "reads" | "searches" | "edits" | "moves" | "none";
  /** Below the working directory, which `.` names, the program takes only files with this ending. */
  ending?: string;
  /** Endings that the program adds to a name without a file: `zcat x` reads `x.gz`. It may also expand patterns in the name itself. */
  endings?: string;
  /** A word `@FILE` stands for the arguments in that file. Source: "@file" in the manual of binutils. */
  atFiles?: true;
  /** Flags that make the program change the files that it would otherwise only read. */
  inPlace?: string;
  /** Flags with which the program shows only the names of entries, and follows no links. */
  byName?: string;
  /** Flags that make the program follow symlinks below its folders. */
  follows?: string;
  /** At least one of these flags must be present. Without them the program does more: `netstat` asks a name server for each address. */
  requires?: string;
  /** The form that every operand must have. */
  only?: RegExp;
  /** The first operand is text, unless one of these flags is present. */
  textFirst?: string;
  /** The program writes its first operand. */
  firstEdited?: true;
  /** The program writes its last operand, if there are at least two. */
  lastEdited?: true;
  /** With the value `-`, a flag in `writes` prints. For other programs, `-` is the name of a file. */
  dashPrints?: true;
  /** The program copies, moves or links. The last operand, or the value of `-t`, is the target for the others. */
  into?: true;
  /** No word can make the program do more. */
  anything?: true;
  /** With known flags, the program does nothing but change the files that its words name. */
  onlyEdits?: true;
  /** The program does more than read, so its calls never count as reads. */
  acts?: true;
};

/** Keys of a table whose values are regular expressions. All others have lists of flags or other words. */
const PATTERNS = wordSet("only properties");

/**
 * Parses tables from text, so that a program takes only a few lines: `name | numbers operands=reads | flags: -a -b | valued:
 * -n`. An indented line continues the line before. `@name` starts with the entries of another table, `key+: flags` adds
 * to them, and `key-: flags` removes some.
 */
export function parseTables<Row extends object = Table>(text: string): Record<string, Row> {
  const tables: Record<string, Row> = {};
  for (const entry of text.trim().split(/\n(?! )/)) {
    const [name = "", ...parts] = entry.replaceAll(/\n +/g, " ").split(/ \|(?: |$)/);
    const row: Record<string, unknown> = {};
    for (const part of parts.filter((each) => each !== "")) {
      const [, key = "", change, value = ""] = /^(\w+)(\+|-|\/i)?: (.*)$/s.exec(part) ?? [];
      const known = String(row[key] ?? "");
      if (PATTERNS.has(key)) row[key] = new RegExp(value, change === "/i" ? "i" : "");
      else if (change === "-") row[key] = [...wordSet(known)].filter((flag) => !wordSet(value).has(flag)).join(" ");
      else if (key !== "") row[key] = change === "+" ? `${known} ${value}`.trim() : value;
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
