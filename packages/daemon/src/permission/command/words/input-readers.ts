import { hasFlag, parseArguments } from "../programs/parse-arguments.ts";
import { isDevelopmentTool } from "../files/development-tools.ts";
import { nodesIn, type SyntaxNode } from "../shell/parse.ts";
import { unwrap } from "../shell/unwrap-command.ts";
import { readers } from "../tables/readers.ts";
import { nameMatcher } from "../tables/name-matcher.ts";
import { isInput, redirectsOf } from "./pipelines.ts";
import { literal, type Word } from "./word.ts";

/** Programs that do not read their input if no operand is `-`. Any other one that is not below may read it, and so may a script. */
const NEVER =
  nameMatcher(`echo printf test [ [[ true false : cd pwd pushd popd ls basename dirname realpath readlink stat file du df mkdir touch rm rmdir
  mv cp ln chmod chown date sleep exit return continue break let local declare typeset readonly export unset set shift shopt git which type hash
  kill wait trap seq mktemp uname whoami id hostname env printenv curl wget cmp diff comm sha512sum sha224sum sha384sum b2sum strings gzip gunzip zcat tar unzip zip
  install truncate dos2unix unix2dos identify convert magick`);
/** Programs that read it if no operand names a file, and those whose first operand is not a file. */
const WITHOUT_FILE = nameMatcher(
  "cat head tail wc nl tac sort uniq cut fold fmt od xxd hexdump base64 md5sum sha1sum sha256sum cksum column paste rev less more",
);
const WITHOUT_SECOND = nameMatcher("grep egrep fgrep rg sed awk gawk mawk jq yq");
/** Flags with which programs such as git read it. */
const TAKES_INPUT = /^-$|^-\w*F-?$|^--(file=-|stdin|batch|pathspec-from-file=-)|^\/dev\/(stdin|fd\/0)$/;

/**
 * True if a command in a body may read a part of the input of the whole body. `functions`: those of the text, by their names. `depth`: how many
 * functions are around it.
 */
export function mayReadInput(body: SyntaxNode, functions: ReadonlyMap<string, SyntaxNode>, depth = 0): boolean {
  const nodes = nodesIn(body);
  const callsReader = (name: string) => {
    const called = functions.get(name);
    return called !== undefined && (depth > functions.size || mayReadInput(called, functions, depth + 1));
  };
  const piped = new Set(nodes.flatMap((node) => (node.type === "Pipeline" ? node.commands.slice(1).flatMap(nodesIn) : [])));
  return nodes.some((node) => {
    if (node.type !== "Command" || piped.has(node)) return false;
    const inputs = redirectsOf(node).filter(isRedirectedInput);
    if (inputs.length > 0) return inputs.some((each) => each.type === "Redirect" && SAME_INPUT.test(each.target?.value ?? ""));
    const words = [...(node.name ? [node.name] : []), ...node.suffix.filter((each) => each.type === "Word")].map(({ value }) =>
      literal(value),
    );
    return mayTakeInput(words) || callsReader(words[0]?.text ?? "");
  });
}

const isRedirectedInput = (each: ReturnType<typeof redirectsOf>[number]): boolean =>
  (each.type !== "Redirect" || each.operator.startsWith("<")) && isInput(each);

/** Returns the words of a command in find, which ends with `;` or `+`. */
const upToEnd = (words: readonly Word[]): readonly Word[] =>
  words.slice(
    0,
    Math.max(
      0,
      words.findIndex(({ text }) => /^[;+]$/.test(text)),
    ),
  );

/** The target of a redirect that is the input as it was. */
const SAME_INPUT = /^0-?$|^\/dev\/(stdin|fd\/0)$|^\/proc\/.*\/fd\/0$/;

function mayTakeInput([name = literal(""), ...words]: readonly Word[]): boolean {
  const base = name.text.slice(name.text.lastIndexOf("/") + 1);
  const inner = unwrap(base, words);
  if (inner) return !("words" in inner) || mayTakeInput(inner.words);
  if (base === "find") return words.some(({ text }, i) => /^-(exec|ok)/.test(text) && mayTakeInput(upToEnd(words.slice(i + 1))));
  if (NEVER(base) || isDevelopmentTool(base)) return words.some(({ text }) => TAKES_INPUT.test(text));
  const isSecond = WITHOUT_SECOND(base);
  if (!WITHOUT_FILE(base) && !isSecond) return base !== "" && base !== "find";
  const sorted = parseArguments(readers[base], words);
  const isGiven = isSecond && hasFlag(sorted, "-e -f --regexp --expression --file");
  return (
    sorted.operands.length - (isSecond && !isGiven ? 1 : 0) < 1 ||
    sorted.operands.some(({ text }) => text === "-" || text.startsWith("/dev/"))
  );
}
