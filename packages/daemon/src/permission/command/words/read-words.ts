import type { Script, Word as Node } from "../shell/parse.ts";
import { wordContextAt } from "./known-variables.ts";
import { hereDocOf } from "./known-output.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import type { Walker } from "../shell/walker-types.ts";
import { readWord, type WordContext, type Word } from "./word.ts";

/** Reads words and judges the commands inside them. */
export function readWords(nodes: readonly Node[], context: ShellContext, walker: Walker): Word[] {
  const reading = judgingWordContext(context, walker);
  return nodes.flatMap((node) => readWord(node, reading));
}

export function judgingWordContext(context: ShellContext, { findings, walkScript }: Walker): WordContext {
  const certain = wordContextAt(context, (why) => void findings.doubts.add(why));
  const inner = (script: Script | undefined, isParallel = false) => {
    if (!script || script.commands.length === 0) {
      findings.doubts.add("holds a substitution that cannot be read");
      return undefined;
    }
    const document = hereDocOf(script);
    if (document) return document;
    const walk = () => walkScript(script, { ...context, upstream: [], isInWord: true });
    walk();
    if (isParallel) findings.later.push(() => void walk());
    return certain.inner(script);
  };
  return { ...certain, inner };
}
