import type { GateFindings } from "../gate-findings.ts";
import type { TestExpression } from "./parse.ts";
import type { Read } from "./redirect.ts";

/** Judges `[[ ]]`. A comparison of numbers evaluates text as arithmetic. So does a test that looks at a variable by its name. */
export function walkTest(node: TestExpression, findings: GateFindings, read: Read): void {
  switch (node.type) {
    case "TestUnary":
      read([node.operand]);
      if (/^-[vRo]$/.test(node.operator)) findings.doubts.add("looks at a variable by its name");
      return;
    case "TestBinary": {
      const words = read([node.left, node.right]);
      const isNumeric = /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
      if (isNumeric && !words.every((word) => word.kind === "literal" && /^-?\d+$/.test(word.text)))
        findings.doubts.add("computes with variables");
      return;
    }
    case "TestLogical":
      node.operands.forEach((operand) => walkTest(operand, findings, read));
      return;
    case "TestNot":
      return walkTest(node.operand, findings, read);
    case "TestGroup":
      return walkTest(node.expression, findings, read);
  }
}
