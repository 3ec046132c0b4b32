import { hasFlag, parseArguments } from "../programs/parse-arguments.ts";
import { INTERPRETERS, isShell } from "../programs/shell-program.ts";
import { nodesIn, type Command, type SyntaxNode } from "../shell/parse.ts";
import { readers } from "../tables/readers.ts";
import { nameMatcher } from "../tables/name-matcher.ts";
import { isInput, redirectsOf } from "./pipelines.ts";
import { literal } from "./word.ts";

/** Programs that always read their input. */
const ALWAYS = nameMatcher("read mapfile readarray xargs tee dd tr ssh parallel");
/** Programs that read it if no operand names a file, and those whose first operand is not a file. */
const WITHOUT_FILE = nameMatcher(
  "cat head tail wc nl tac sort uniq cut fold fmt od xxd base64 md5sum sha1sum sha256sum cksum column paste rev less more",
);
const WITHOUT_SECOND = nameMatcher("grep egrep fgrep rg sed awk gawk mawk jq yq");
/** Programs that read it if they get their code in an argument, or none. */
const isInterpreter = nameMatcher(INTERPRETERS);

/** True if a command in a body may read a part of the input of the whole body. */
export function mayReadInput(body: SyntaxNode): boolean {
  const nodes = nodesIn(body);
  const piped = new Set(nodes.flatMap((node) => (node.type === "Pipeline" ? node.commands.slice(1).flatMap(nodesIn) : [])));
  return nodes.some(
    (node) => node.type === "Command" && !piped.has(node) && !redirectsOf(node).some(isRedirectedInput) && mayTakeInput(node),
  );
}

const isRedirectedInput = (each: ReturnType<typeof redirectsOf>[number]): boolean =>
  (each.type !== "Redirect" || each.operator.startsWith("<")) && isInput(each);

function mayTakeInput({ name, suffix }: Command): boolean {
  const base = name?.value.slice(name.value.lastIndexOf("/") + 1) ?? "";
  const words = suffix.flatMap((each) => (each.type === "Word" ? [literal(each.value)] : []));
  if (ALWAYS(base)) return true;
  const isCode = words.some(({ text }) => /^-[a-zA-Z]*[cepm]$/.test(text));
  if (isShell(base) || isInterpreter(base)) return isCode || words.every(({ text }) => text.startsWith("-"));
  const isSecond = WITHOUT_SECOND(base);
  if (!WITHOUT_FILE(base) && !isSecond) return false;
  const sorted = parseArguments(readers[base], words);
  const isGiven = isSecond && hasFlag(sorted, "-e -f --regexp --expression --file");
  return (
    sorted.operands.length - (isSecond && !isGiven ? 1 : 0) < 1 ||
    sorted.operands.some(({ text }) => text === "-" || text.startsWith("/dev/"))
  );
}
