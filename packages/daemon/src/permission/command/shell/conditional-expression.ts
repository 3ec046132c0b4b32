import { TESTS_FILE } from "../programs/shell-builtins.ts";
import { readWords } from "../words/read-words.ts";
import { judgePath } from "./judge-path.ts";
import type { TestExpression } from "./parse.ts";
import type { ShellContext } from "./shell-context.ts";
import type { Walker } from "./walker-types.ts";

/** Judges `[[ ]]`. A comparison of numbers evaluates text as arithmetic. So does a test that looks at a variable by its name. */
export function walkTest(node: TestExpression, context: ShellContext, walker: Walker): void {
  const { findings } = walker;
  switch (node.type) {
    case "TestUnary":
      for (const word of readWords([node.operand], context, walker))
        if (TESTS_FILE.test(node.operator) && word.kind !== "open") judgePath({ word, use: "names" }, context, findings);
      if (/^-[vRo]$/.test(node.operator)) findings.doubts.add("looks at a variable by its name");
      return;
    case "TestBinary": {
      const words = readWords([node.left, node.right], context, walker);
      const isNumeric = /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
      if (isNumeric && !words.every((word) => word.kind === "literal" && /^-?\d+$/.test(word.text)))
        findings.doubts.add("computes with variables");
      return;
    }
    case "TestLogical":
      return node.operands.forEach((operand) => walkTest(operand, context, walker));
    case "TestNot":
      return walkTest(node.operand, context, walker);
    case "TestGroup":
      return walkTest(node.expression, context, walker);
  }
}
