import { isPlainMember, isPlainText } from "../inline-code/project-code.ts";
import { isCertain, type Word } from "../words/word.ts";

/** True for a word of `sed` or `perl` that deletes lines, or brings in plain text or code: nothing in it runs, loads or opens anything. */
export function isPlainEdit(word: Word): boolean {
  if (word.kind !== "pattern" && !isCertain(word)) return false;
  if (/^[\w./*-]*$/.test(word.text)) return true; // a file, or a flag
  for (let rest = word.text.trim(); rest !== "";) {
    const { 0: whole = "", groups: { line = "", text = line } = {} } = COMMAND.exec(rest) ?? {};
    if (whole === "" || !isPlainCode(text)) return false;
    rest = rest.slice(whole.length);
  }
  return true;
}

/** An address, and a command that deletes, inserts or replaces. Nothing in a replacement stands for something that the file contains. */
const COMMAND =
  /^(?:(?:\d+|\$|\/[^/\\]*\/)(?:,(?:\d+|\$))?)?(?:d|[aic]\\?[ \t]*(?<line>[^\n\\]*)|s(?<sign>[/|#,@])(?:\\.|\[\^?(?:(?!\k<sign>)[^\][\n])+\]|(?!\k<sign>)[^\\\n[])*\k<sign>(?<text>(?:(?!\k<sign>)[^\\&\n])*)\k<sign>[gi\d]*)(?:[;\n\s]+|$)/;

/** Names that lead to other programs, files or modules in common languages, besides those of `isPlainMember`. */
const LEADING = new Set(
  `import require include use os sys subprocess shutil pathlib socket ctypes importlib builtins pty pickle marshal urllib http https requests asyncio
  multiprocessing threading fs net dns tls vm cluster worker_threads module child_process process globalThis constructor prototype Process
  ProcessBuilder Runtime Command IO File FileUtils Kernel Dir Net Socket send public_send instance_eval class_eval sh bash unsafe asm syscall`.split(
    /\s+/,
  ),
);

/** True for a part of code that shows what it is: without computed texts, and without names that lead elsewhere. */
const isPlainCode = (text: string): boolean =>
  /^[\w\s.,:;=<>!|?+*()[\]{}/"'@~^-]*$/.test(text) &&
  !/@\{|__|["']\s*[+*.[(]|\+\s*["']|["']\s+["']/.test(text) &&
  isPlainText(text) &&
  (text.match(/[A-Za-z_]\w*/g) ?? []).every((name) => isPlainMember(name) && !LEADING.has(name));
