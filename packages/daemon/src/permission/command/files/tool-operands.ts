import path from "node:path";
import type { FolderTraversal, NamedPath, ProgramInvocation } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { literal, type Word } from "../words/word.ts";
import type { ToolCall } from "./development-tools.ts";

/** A call, and the call of a tool that it starts: `eslint src` for `npx eslint src`. */
export type StartedCall = Pick<ProgramInvocation, "name" | "words"> & { inner?: readonly Word[] | undefined };

/** Returns what a development tool does with each of its words. A test keeps the files that it reads, and a formatter changes some kinds. */
export function operandTraversal(call: StartedCall, tool: ToolCall): (word: Word) => FolderTraversal {
  const { name, words, inner = [literal(name), ...words] } = call;
  const befores = new Map(words.map((word, i) => [word, words[i - 1]?.text ?? ""]));
  const before = (word: Word) => befores.get(word) ?? "";
  const isValue = (word: Word) => word.text.startsWith("-") || VALUED.test(before(word));
  const isInput = (flag: string) => INPUT.test(flag) || (flag === "-f" && /^(helm|mvnw?)$/.test(inner[0]?.text ?? ""));
  const isText = (word: Word) => TEXT.test(before(word)) || OUTPUT.test(before(word)) || isInput(before(word));
  const isFixed = !/^\S+@(?![\d^~]|latest$)/.test(words[0]?.text ?? ""); // a version may be another program
  const loads = words.some((word) => isValue(word) && word.text.includes("/") && !isText(word)); // code from elsewhere
  const isUsual = isFixed && !loads;
  const end = words.findIndex(({ text }) => text === "--");
  const behind = new Set(end < 0 ? [] : words.slice(end));
  const script = scriptOf(name, words, inner);
  const calls = [`${name} ${words[0]?.text}`, `${inner[0]?.text} ${inner[1]?.text}`];
  const keepsInput = tool.keeps || calls.some((each) => KEEPS_INPUT.test(each));
  const isCompiler = COMPILER.test(name);
  const leavesOut = isUsual && !tool.isProject ? tool.leavesOut : undefined;
  return (word) => {
    if (isCompiler && (INCLUDED.test(word.text) || INCLUDES.test(before(word)))) return { keeps: true };
    if (isValue(word)) return { keeps: keepsInput && isInput(word.text.startsWith("-") ? word.text.replace(/=.*/, "") : before(word)) };
    return { keeps: (tool.keeps && isUsual && !behind.has(word)) || word === script, ...(leavesOut ? { leavesOut } : {}) };
  };
}

/** Returns the file that an interpreter runs, as in `node scripts/build.js`, `npx tsx a.ts` and `go run main.go`. */
function scriptOf(name: string, words: readonly Word[], [program, first]: readonly Word[]): Word | undefined {
  if (words[0]?.text === "run" && /^(go|deno|bun)$/.test(name)) return words[1];
  if (SCRIPTS.test(name)) return words[0];
  return SCRIPTS.test(program?.text ?? "") ? first : undefined;
}

const COMPILER = /^(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-\d+)?$/;
/** Flags of a compiler for folders that it only searches for headers, with the folder, and in front of it. */
const INCLUDED = /^-(I|isystem|iquote|idirafter)./;
const INCLUDES = /^-(I|isystem|iquote|idirafter)$/;
/** Programs that run their first argument. */
const SCRIPTS = /^(node|python[\d.]*|ruby|php|perl|lua|Rscript|bash|sh|tsx|ts-node|bun)$/;
/** Calls that keep the project that a flag names. */
const KEEPS_INPUT = /^((dotnet|cargo) run$|p?npm |yarn |bun |turbo |mvnw? |pip3? install$)/;
/** A flag whose value is a project that the tool reads. */
const INPUT = /^(-[epw]|--(values|editable|project|startup-project|manifest-path|schema|workspace|filter))$/;
/** A flag whose value is text, such as the name of a test. */
const TEXT = /^(-[kmt]|--?(only|except|filter|run|grep|testNamePattern))$/;
/** A flag that may take the next word. */
const VALUED =
  /^-(?!([vqxsnrwiaAl]|vv+|-?(verbose|quiet|watch|ci|bail|strict|cover|coverage|no[A-Z-]\w*|fix|write|check|list-different|lint|cache|diff|recursive|test|dry-run))$)[^=]*$/;

/** Flags before a folder that the program writes into. */
export const OUTPUT = /^(-[odtB]|--?(?!-?(root|directory|rulesdir))[\w.-]*(out|dest|dir|target|prefix|report)[\w-]*)$/i;

/** Programs that write a file of the same name with another ending, beside their source or into the working folder. */
const DERIVING =
  wordSet(`tsc vue-tsc swig cython valac bison lemon rpcgen coffee stylus lessc pug jupytext jupyter nbconvert asciidoctor soffice
  ps2pdf dot inkscape mogrify pydoc pydoc3`);

/** Returns the files that such a program may write: `src/a.js` and `a.js` for `tsc src/a.ts`. */
export function filesDerivedBy(name: string, words: readonly Word[]): NamedPath[] {
  if (name === "defaults") return words.map((word) => ({ word: { ...word, text: `${word.text}.plist` }, use: "mentions" })); // settings of macOS
  return DERIVING.has(name) ? words.flatMap(derived) : [];
}

const derived = ({ kind, text }: Word): NamedPath[] => {
  const stem = kind === "open" || /(^|\/)tsconfig[\w.-]*\.json$/.test(text) ? undefined : /^([\w./@-]*\w)\.\w+$/.exec(text)?.[1];
  const stems = stem === undefined || stem.startsWith("-") ? [] : [...new Set([stem, path.posix.basename(stem)])];
  return stems.map((each) => ({ word: { kind: "pattern", text: `${each}.*` }, use: "mentions" }));
};
