import { nodesIn, type Script } from "./parse.ts";

const LONG = 100;

/** Kinds of syntax with their weights. Each kind counts only once. */
const FEATURES: readonly (readonly [weight: number, types: RegExp])[] = [
  [0.3, /^Pipeline$/],
  [0.3, /^(If|For|While|Case|Select|ArithmeticFor)$/],
  [0.2, /^Redirect$/],
  [0.2, /^((Simple|Parameter|Command|Arithmetic)Expansion|ProcessSubstitution)$/],
];

/** Returns how hard a command is to understand at a glance, from 0 to 1. It is shown with a verdict and has no effect on it. */
export function complexityOf(script: Script, text: string): number {
  const nodes = nodesIn(script);
  const found = FEATURES.filter(([, types]) => nodes.some(({ type }) => types.test(type)));
  return Math.min(1, Math.round(found.reduce((total, [weight]) => total + weight, text.length > LONG ? 0.1 : 0) * 10) / 10);
}
