import type { AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * One step of an expression as a graph. `char` reads one character, `assert` reads none and holds at some positions only,
 * `split` goes on in several ways, `accept` is the end.
 */
type State =
  | { kind: "char"; test: (char: string) => boolean; next: number }
  | { kind: "assert"; holds: Holds; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "accept" };

/** For every position of a text, whether something holds there. */
type Holds = (text: string) => readonly boolean[];

/** A graph larger than this would take too long for a text of the greatest length. */
const MAX_STATES = 5_000;

/**
 * Makes an expression that looks ahead, which RE2 cannot match. It takes time in proportion to the text times
 * the size of the expression: each look is worked out for all positions of the text at once, the innermost first. Throws
 * with the reason where the text is no expression, or refers back to a group, which cannot be matched in bounded time.
 */
export function compileLookahead(pattern: string, parser: RegExpParser): (text: string) => boolean {
  const matches = matchesFrom(parser.parsePattern(pattern));
  return (text) => matches(text).some(Boolean);
}

/** Where a match of one of the alternatives begins. */
function matchesFrom({ alternatives }: { alternatives: AST.Alternative[] }): Holds {
  const states: State[] = [{ kind: "accept" }];
  const start = either(alternatives, 0, states);
  return (text) => {
    const begins: boolean[] = [];
    const asserted = states.map((state) => (state.kind === "assert" ? state.holds(text) : undefined));
    let after: boolean[] = [];
    for (let at = text.length; at >= 0; at--) {
      const here = reaching(states, asserted, text, at, after);
      begins[at] = here[start] ?? false;
      after = here;
    }
    return begins;
  };
}

/** From which states the end can be reached at this position; `after` is the same for the position behind it. */
function reaching(
  states: readonly State[],
  asserted: readonly (readonly boolean[] | undefined)[],
  text: string,
  at: number,
  after: readonly boolean[],
): boolean[] {
  const char = text[at];
  const here = states.map(
    (state) => state.kind === "accept" || (state.kind === "char" && char !== undefined && after[state.next] === true && state.test(char)),
  );
  for (let changed = true; changed;) {
    changed = false;
    for (const [i, state] of states.entries()) {
      if (here[i] || state.kind === "char" || state.kind === "accept") continue;
      const isReached =
        state.kind === "split" ? state.next.some((to) => here[to]) : asserted[i]?.[at] === true && here[state.next] === true;
      if (isReached) changed = here[i] = true;
    }
  }
  return here;
}

function add(state: State, states: State[]): number {
  if (states.length >= MAX_STATES) throw new Error("it is too large once its repetitions are written out");
  return states.push(state) - 1;
}

const either = (alternatives: readonly AST.Alternative[], next: number, states: State[]): number =>
  add({ kind: "split", next: alternatives.map(({ elements }) => sequence(elements, next, states)) }, states);

const sequence = (elements: readonly AST.Element[], next: number, states: State[]): number =>
  elements.reduceRight((to, element) => stateOf(element, to, states), next);

/** The state that begins with this part of the expression and goes on with `next`. */
function stateOf(element: AST.Element, next: number, states: State[]): number {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass": {
      const one = new RegExp(`^(?:${element.raw})$`, "s");
      const any = element.type === "CharacterSet" && element.kind === "any" ? /^[^\n]$/ : one;
      return add({ kind: "char", test: (char) => any.test(char), next }, states);
    }
    case "Group":
    case "CapturingGroup":
      return either(element.alternatives, next, states);
    case "Quantifier":
      return repeated(element, next, states);
    case "Assertion":
      return add({ kind: "assert", holds: holdsAt(element), next }, states);
    case "Backreference":
      throw new Error("it refers back to a group, which takes unbounded time");
    case "ExpressionCharacterClass":
      throw new Error("it has a class of classes");
  }
}

function repeated({ element, min, max }: AST.Quantifier, next: number, states: State[]): number {
  let from = next;
  if (max === Number.POSITIVE_INFINITY) {
    from = add({ kind: "split", next: [next] }, states);
    const loop = states[from];
    if (loop?.kind === "split") loop.next.push(stateOf(element, from, states));
  } else for (let n = min; n < max; n++) from = add({ kind: "split", next: [next, stateOf(element, from, states)] }, states);
  for (let n = 0; n < min; n++) from = stateOf(element, from, states);
  return from;
}

function holdsAt(assertion: AST.Assertion): Holds {
  switch (assertion.kind) {
    case "start":
      return positions((_, at) => at === 0);
    case "end":
      return positions((text, at) => at === text.length);
    case "word":
      return positions((text, at) => (isWord(text[at - 1]) !== isWord(text[at])) !== assertion.negate);
    case "lookahead": {
      const matches = matchesFrom(assertion);
      return (text) => matches(text).map((holds) => holds !== assertion.negate);
    }
    case "lookbehind":
      throw new Error("it looks behind, which is not supported");
  }
}

const positions =
  (holds: (text: string, at: number) => boolean): Holds =>
  (text) =>
    Array.from({ length: text.length + 1 }, (_, at) => holds(text, at));

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
