import { forEachNode, type Script, type SyntaxNode } from "./parse.ts";

const LONG = 100;

/** The weight of each kind of syntax. Each kind counts only once. */
const WEIGHTS = { pipe: 0.3, control: 0.3, redirect: 0.2, expansion: 0.2, length: 0.1 };
type Feature = keyof typeof WEIGHTS;

const FEATURES: Readonly<Partial<Record<SyntaxNode["type"], Feature>>> = {
  Pipeline: "pipe",
  Redirect: "redirect",
  If: "control",
  For: "control",
  While: "control",
  Case: "control",
  Select: "control",
  ArithmeticFor: "control",
  SimpleExpansion: "expansion",
  ParameterExpansion: "expansion",
  CommandExpansion: "expansion",
  ArithmeticExpansion: "expansion",
  ProcessSubstitution: "expansion",
};

/**
 * Returns how hard a command is to understand at a glance, from 0 to 1. The value is shown with a verdict. It has no effect on
 * the verdict, because the gate judges each part of the command separately.
 */
export function complexityOf(script: Script, text: string): number {
  const features = new Set<Feature>(text.length > LONG ? ["length"] : []);
  const look = (node: SyntaxNode): void => {
    const feature = FEATURES[node.type];
    if (feature) features.add(feature);
    forEachNode(node, look);
  };
  look(script);
  const sum = [...features].reduce((total, feature) => total + WEIGHTS[feature], 0);
  return Math.min(1, Math.round(sum * 10) / 10);
}
