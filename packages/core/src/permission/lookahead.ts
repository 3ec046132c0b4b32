import type { AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * One step of an expression as a graph. `char` reads one character, `assert` reads none and holds at some positions only,
 * `split` goes on in several ways, `accept` is the end.
 */
type State =
  | { kind: "char"; test: (char: string) => boolean; next: number }
  | { kind: "assert"; look: Look; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "accept" };

/** An expression, or what one of its assertions looks at. */
type Graph = { states: State[]; start: number; before: readonly (readonly number[])[] };

/** What has to hold at a position: a place in the text, or a match of a graph that begins there. */
type Look = ((text: string, at: number) => boolean) | { graph: Graph; negate: boolean };

/** What is built of one expression. Each assertion of its source has one graph, however often it is repeated. */
type Building = { size: number; looks: Map<AST.Assertion, Look> };

/** An expression of more states in all would take too long for a text of the greatest length. */
const MAX_STATES = 1_000;

/**
 * Makes an expression that looks ahead, which RE2 cannot match. It takes time in proportion to the text times the size of
 * the expression, which is bounded: each look is worked out for all positions of the text at once. Throws with the reason
 * where the text is no expression, is too large, looks behind, or refers back to a group, which takes unbounded time.
 */
export function compileLookahead(pattern: string, parser: RegExpParser): (text: string) => boolean {
  const graph = graphOf(parser.parsePattern(pattern), { size: 0, looks: new Map() });
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

/** For every position of a text, whether a match of the graph begins there. */
function matchesFrom(graph: Graph, text: string, known: Map<Graph, boolean[]>): boolean[] {
  const before = known.get(graph);
  if (before) return before;
  for (const state of graph.states)
    if (state.kind === "assert" && typeof state.look === "object") matchesFrom(state.look.graph, text, known);
  const begins: boolean[] = [];
  let after: boolean[] = [];
  for (let at = text.length; at >= 0; at--) {
    after = reaching(graph, text, at, after, known);
    begins[at] = after[graph.start] ?? false;
  }
  known.set(graph, begins);
  return begins;
}

/** From which states the end can be reached at this position; `after` is the same for the position behind it. */
function reaching({ states, before }: Graph, text: string, at: number, after: readonly boolean[], known: Map<Graph, boolean[]>): boolean[] {
  const char = text[at];
  const here = states.map(
    (state) => state.kind === "accept" || (state.kind === "char" && char !== undefined && after[state.next] === true && state.test(char)),
  );
  const waiting = here.flatMap((isReached, i) => (isReached ? [i] : []));
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop())
    for (const from of before[i] ?? []) {
      const state = states[from];
      if (here[from] || !state || (state.kind === "assert" && !holds(state.look, text, at, known))) continue;
      here[from] = true;
      waiting.push(from);
    }
  return here;
}

function holds(look: Look, text: string, at: number, known: Map<Graph, boolean[]>): boolean {
  if (typeof look === "function") return look(text, at);
  return (known.get(look.graph)?.[at] ?? false) !== look.negate;
}

function add(state: State, states: State[], building: Building): number {
  if (++building.size > MAX_STATES) throw new Error("it is too large once its repetitions are written out");
  return states.push(state) - 1;
}

const either = (alternatives: readonly AST.Alternative[], next: number, states: State[], building: Building): number =>
  add({ kind: "split", next: alternatives.map(({ elements }) => sequence(elements, next, states, building)) }, states, building);

const sequence = (elements: readonly AST.Element[], next: number, states: State[], building: Building): number =>
  elements.reduceRight((to, element) => stateOf(element, to, states, building), next);

/** The state that begins with this part of the expression and goes on with `next`. */
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
      return add({ kind: "assert", look: lookOf(element, building), next }, states, building);
    case "Backreference":
      throw new Error("it refers back to a group, which takes unbounded time");
    case "ExpressionCharacterClass":
      throw new Error("it has a class of classes");
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

function lookOf(assertion: AST.Assertion, building: Building): Look {
  const known = building.looks.get(assertion);
  if (known) return known;
  const look = newLook(assertion, building);
  building.looks.set(assertion, look);
  return look;
}

function newLook(assertion: AST.Assertion, building: Building): Look {
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
      throw new Error("it looks behind, which is not supported");
  }
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
