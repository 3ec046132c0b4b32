import path from "node:path";
import { isLink } from "../files/path-on-disk.ts";
import { readsCode } from "../programs/shell-program.ts";
import type { GateFindings } from "../gate-findings.ts";
import type { Redirection, Word as Node } from "./parse.ts";
import type { ShellContext } from "./shell-context.ts";
import { SHOWING } from "./appended-arguments.ts";
import { handOver, judgePath } from "./judge-path.ts";
import { isInput, plainBody } from "../words/pipelines.ts";
import { filesNamedBy } from "../words/piped-arguments.ts";
import { listedBelow, mayReadAll } from "../files/listed-file-accesses.ts";
import { isCertain, literal, type Word } from "../words/word.ts";

/** Reads words as they will be when they run, and judges the commands inside them. */
export type Read = (nodes: readonly Node[]) => Word[];

/** The input of a command: its source, and its text if that is known. */
export type Input = Pick<ShellContext, "fed" | "input" | "hereString">;

/** Judges redirects and returns the resulting input. */
export function redirect(redirects: readonly Redirection[], context: ShellContext, findings: GateFindings, read: Read): Input | undefined {
  let fed: Input | undefined;
  const name = context.upstream.at(-1) ?? "";
  const into = { isCode: readsCode(name), files: name === "cat" ? filesWritten(redirects, context) : undefined };
  const beside = (text = ""): Input => ({ ...fed, fed: fed?.fed ?? context.fed, hereString: text });
  for (const each of redirects) {
    if (each.descriptor?.type === "FileDescriptorVariable") findings.doubts.add("opens a file under a name");
    switch (each.type) {
      case "HereDoc":
        if (!each.delimiter?.quoted) readParts(each.body.parts, read);
        findings.written.push({ text: each.body.text, isKnown: plainBody(each) !== undefined, ...into });
        fed = isInput(each) ? { fed: "text", input: plainBody(each) } : beside(each.body.text);
        break;
      case "HereString": {
        const [word] = each.target ? read([each.target]) : [];
        findings.written.push({ text: `${word?.text}\n`, isKnown: word?.kind === "literal" && isCertain(word), ...into });
        fed = isInput(each) ? { fed: "text", hereString: word?.text } : beside(word?.text);
        break;
      }
      case "Redirect": {
        const listing = each.operator === "<" && each.target ? filesNamedBy(each.target, context.listed) : undefined;
        if (listing && (context.upstream.at(-1) === "wc" || mayReadAll(listing, context))) {
          context.place.usesLists.add("plain");
          findings.accesses.push(...listedBelow(listing, context));
          fed = { fed: "file" };
          break;
        }
        const [word, ...more] = each.target ? read([each.target]) : [];
        if (!word || more.length > 0) findings.doubts.add("redirects to more than one place");
        else if (/^[<>]&$/.test(each.operator) && word.kind === "literal" && /^(\d+-?|-)$/.test(word.text)) {
          if (each.operator === "<&" || (each.descriptor?.type === "FileDescriptor" && each.descriptor.value === 0)) fed = { fed: "file" };
          break;
        } else if (word.kind === "pattern" && each.operator !== "<" && !isOfLoop(word))
          findings.doubts.add("redirects to what a pattern matches");
        else
          for (const use of ["reads", "writes"] as const)
            if (each.operator === "<>" || each.operator.startsWith("<") === (use === "reads"))
              judgePath({ word: word.kind === "literal" && word.text === "-" ? literal("./-") : word, use }, context, findings);
        if (each.operator === "<" || each.operator === "<>") {
          fed = { fed: "file" };
          if (word && !SHOWING.has(context.upstream.at(-1) ?? "")) handOver([word], findings);
        }
      }
    }
  }
  return fed;
}

/** True for a word such as `"$f.tmp"`, which is one file in each round of a loop over known names. */
const isOfLoop = (word: Word): boolean =>
  word.kind === "pattern" && word.loop !== undefined && word.names !== undefined && word.names.length > 0;

/** Returns the names of the files to which redirects write. Undefined if the text does not show all of them. */
export function filesWritten(redirects: readonly Redirection[], { cwds }: ShellContext): string[] | undefined {
  const files = redirects.flatMap((each) => (each.type === "Redirect" && !each.operator.startsWith("<") ? [each] : []));
  const isPlain = files.every(
    ({ operator, target }) =>
      /^(>|>>|>\|)$/.test(operator) && target && !target.parts && !cwds.some((cwd) => isLink(path.resolve(cwd, target.value))),
  );
  return isPlain && files.length > 0 ? files.map(({ target }) => path.basename(target?.value ?? "")) : undefined;
}

function readParts(parts: Node["parts"], read: Read): void {
  const expanding = parts?.filter(({ type }) => type !== "Literal");
  if (expanding) read([{ type: "Word", text: "$", value: "$", pos: 0, end: 0, parts: expanding }]);
}
