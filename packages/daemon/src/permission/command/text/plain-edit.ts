import { isPlainMember, isPlainText } from "../inline-code/project-code.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { isCertain, type Word } from "../words/word.ts";

/**
 * True if words of `sed` or `perl` delete lines, or bring in plain text, into source files also plain code: nothing in it runs, loads or opens anything.
 * Other files may name programs and modules with plain words.
 */
export function arePlainEdits(words: readonly Word[]): boolean {
  if (!words.every((word) => word.kind === "pattern" || isCertain(word))) return false;
  const others = words.filter(({ text }) => !isFile(text));
  if (others.every(({ text }) => text.split(/[;\n]/).every((each) => PLAIN_TEXT.test(each.trim())))) return true;
  const files = words.filter(({ text }) => isFile(text) && !text.startsWith("-") && !isScript(text, () => true));
  return files.every(({ text }) => SOURCE.test(text) && !SETTINGS.test(text)) && others.every(({ text }) => isScript(text, isPlainCode));
}

const isFile = (text: string): boolean => /^[\w./*-]*$/.test(text);
/** A script that brings in only words and simple values. */
const PLAIN_TEXT = /^([\w./*-]*|(\d+|\$|\/[^/]*\/)?d|s([/|#,@])(?:(?!\3).)*\3([\w .,:=/@"'-]|\(\d+\))*\3[gi\d]*)$/;
const SOURCE = /\.([cm]?[jt]sx?|py|go|rs|rb|java|kts?|php|c|cc|cpp|h|hpp|cs|swift|exs?|vue|svelte|md|txt|css|html)$/;
/** Source files that decide what else is loaded. */
const SETTINGS = /(^|\/)(conftest\.py|setup\.py|build\.\w+|[\w.-]*(config|rc)\.\w+)$/;

function isScript(script: string, isPlain: (text: string) => boolean): boolean {
  for (let rest = script.trim(); rest !== "";) {
    const { 0: whole = "", groups: { line = "", text = line } = {} } = COMMAND.exec(rest) ?? {};
    if (whole === "" || !isPlain(text)) return false;
    rest = rest.slice(whole.length);
  }
  return script.trim() !== "";
}

/** An address, and a command that deletes, inserts or replaces. Nothing in a replacement stands for something that the file contains. */
const COMMAND =
  /^(?:(?:\d+|\$|\/[^/\\]*\/)(?:,(?:\d+|\$))?)?(?:d|[aic]\\?[ \t]*(?<line>[^\n\\]*)|s(?<sign>[/|#,@])(?:\\.|\[\^?(?:(?!\k<sign>)[^\][\n])+\]|(?!\k<sign>)[^\\\n[])*\k<sign>(?<text>(?:(?!\k<sign>)[^\\&\n])*)\k<sign>[gi\d]*)(?:[;\n\s]+|$)/;

/** Names that lead to other programs, files or modules in common languages, besides those of `isPlainMember`. */
const LEADING =
  wordSet(`import require include use os sys subprocess shutil pathlib socket ctypes importlib builtins pty pickle marshal urllib http https
  requests asyncio multiprocessing threading fs net dns tls vm cluster worker_threads module child_process process globalThis
  constructor prototype Process ProcessBuilder Runtime Command IO File FileUtils Kernel Dir Net Socket send public_send instance_eval
  class_eval sh bash unsafe asm syscall Function Reflect setTimeout setInterval setImmediate queueMicrotask WebSocket XMLHttpRequest
  EventSource navigator sendBeacon Deno Bun unlinkat execle fopen freopen passthru shell_exec proc_open file_put_contents Pathname vars
  posix_spawn load_source breakpoint Path pytest_plugins`);

/** True for a part of code that shows what it is: without computed texts, and without names that lead elsewhere. */
const isPlainCode = (text: string): boolean =>
  /^[\w\s.,:;=<>!|?+*()[\]{}/"'@~^-]*$/.test(text) &&
  !/@\{|__|["']\s*[+*.[(]|\+\s*["']|["']\s+["']/.test(text) &&
  isPlainText(text) &&
  (text.match(/[A-Za-z_]\w*/g) ?? []).every((name) => isPlainMember(name) && !LEADING.has(name));
