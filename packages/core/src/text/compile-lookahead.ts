import type { AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * A state of the expression as a graph. `char` reads one character. `assert` reads none and holds at some positions only. `split`
 * continues in several states. `accept` is the end.
 */
type State =
  | { kind: "char"; test: (char: string) => boolean; next: number }
  | { kind: "assert"; condition: Condition; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "accept" };

/** The graph of an expression, or of one of its assertions. `before`: the states that lead to each state without reading a character. */
type Graph = { states: State[]; start: number; before: readonly (readonly number[])[] };

/** A condition on a position: a test of the text around it, or a match of a graph that begins there. */
type Condition = ((text: string, at: number) => boolean) | { graph: Graph; negate: boolean };

/** The progress of one compilation. Each assertion has one graph, however often the expression repeats it. */
type Building = { size: number; conditions: Map<AST.Assertion, Condition> };

/** A larger expression would take too long for a text of the maximum length. */
const MAX_STATES = 1_000;

/**
 * Compiles an expression with lookaheads, which RE2 does not support. Matching takes linear time in the text and in the size of the
 * expression, because each lookahead is computed once for all positions. Throws an `Error` with the reason if the expression is invalid
 * or too large, looks behind, or has a backreference.
 */
export function compileLookahead(pattern: string, parser: RegExpParser): (text: string) => boolean {
  const graph = graphOf(parser.parsePattern(pattern), { size: 0, conditions: new Map() });
  return (text) => matchesFrom(graph, text, new Map()).includes(true);
}

function graphOf({ alternatives }: { alternatives: AST.Alternative[] }, building: Building): Graph {
  const states: State[] = [{ kind: "accept" }];
  const start = either(alternatives, 0, states, building);
  const before: number[][] = states.map(() => []);
  for (const [i, state] of states.entries()) {
    if (state.kind === "split") for (const to of state.next) before[to]?.push(i);
    if (state.kind === "assert") before[state.next]?.push(i);
  }
  return { states, start, before };
}

/** For every position of a text: true if a match of the graph begins there. */
function matchesFrom(graph: Graph, text: string, known: Map<Graph, boolean[]>): boolean[] {
  const before = known.get(graph);
  if (before) return before;
  for (const state of graph.states)
    if (state.kind === "assert" && typeof state.condition === "object") matchesFrom(state.condition.graph, text, known);
  const begins: boolean[] = [];
  let after: boolean[] = [];
  for (let at = text.length; at >= 0; at--) {
    after = reachableStates(graph, text, at, after, known);
    begins[at] = after[graph.start] ?? false;
  }
  known.set(graph, begins);
  return begins;
}

/** For every state: true if it can reach the end from this position. `after`: the same for the next position. */
function reachableStates(
  { states, before }: Graph,
  text: string,
  at: number,
  after: readonly boolean[],
  known: Map<Graph, boolean[]>,
): boolean[] {
  const char = text[at];
  const here = states.map(
    (state) => state.kind === "accept" || (state.kind === "char" && char !== undefined && after[state.next] === true && state.test(char)),
  );
  const waiting = here.flatMap((isReached, i) => (isReached ? [i] : []));
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop())
    for (const from of before[i] ?? []) {
      const state = states[from];
      if (here[from] || !state || (state.kind === "assert" && !holds(state.condition, text, at, known))) continue;
      here[from] = true;
      waiting.push(from);
    }
  return here;
}

function holds(condition: Condition, text: string, at: number, known: Map<Graph, boolean[]>): boolean {
  if (typeof condition === "function") return condition(text, at);
  return (known.get(condition.graph)?.[at] ?? false) !== condition.negate;
}

function add(state: State, states: State[], building: Building): number {
  if (++building.size > MAX_STATES) throw new Error("it is too large once its repetitions are written out");
  return states.push(state) - 1;
}

const either = (alternatives: readonly AST.Alternative[], next: number, states: State[], building: Building): number =>
  add({ kind: "split", next: alternatives.map(({ elements }) => sequence(elements, next, states, building)) }, states, building);

const sequence = (elements: readonly AST.Element[], next: number, states: State[], building: Building): number =>
  elements.reduceRight((to, element) => stateOf(element, to, states, building), next);

/** The state that begins with this part of the expression and continues with `next`. */
function stateOf(element: AST.Element, next: number, states: State[], building: Building): number {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass": {
      const one = new RegExp(`^(?:${element.raw})$`);
      return add({ kind: "char", test: (char) => one.test(char), next }, states, building);
    }
    case "Group":
    case "CapturingGroup":
      return either(element.alternatives, next, states, building);
    case "Quantifier":
      return repeated(element, next, states, building);
    case "Assertion":
      return add({ kind: "assert", condition: conditionOf(element, building), next }, states, building);
    case "Backreference":
      throw new Error("it has a backreference, which takes unbounded time");
    case "ExpressionCharacterClass":
      throw new Error("it has a character class with set operations");
  }
}

function repeated({ element, min, max }: AST.Quantifier, next: number, states: State[], building: Building): number {
  let from = next;
  if (max === Number.POSITIVE_INFINITY) {
    from = add({ kind: "split", next: [next] }, states, building);
    const loop = states[from];
    if (loop?.kind === "split") loop.next.push(stateOf(element, from, states, building));
  } else
    for (let n = min; n < max; n++) from = add({ kind: "split", next: [next, stateOf(element, from, states, building)] }, states, building);
  for (let n = 0; n < min; n++) from = stateOf(element, from, states, building);
  return from;
}

function conditionOf(assertion: AST.Assertion, building: Building): Condition {
  const known = building.conditions.get(assertion);
  if (known) return known;
  const condition = buildCondition(assertion, building);
  building.conditions.set(assertion, condition);
  return condition;
}

function buildCondition(assertion: AST.Assertion, building: Building): Condition {
  switch (assertion.kind) {
    case "start":
      return (_, at) => at === 0;
    case "end":
      return (text, at) => at === text.length;
    case "word":
      return (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) !== assertion.negate;
    case "lookahead":
      return { graph: graphOf(assertion, building), negate: assertion.negate };
    case "lookbehind":
      throw new Error("it has a lookbehind, which is not supported");
  }
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
