/** The verbs of a program as a tree: `pr` of `gh` contains `list`, `view` and so on. A verb without subcommands is complete. */
export type VerbTree = ReadonlyMap<string, VerbTree>;

const trees = new Map<string, VerbTree>();

/** Parses the verbs of a table and caches the result. */
export function treeOf(verbs: string): VerbTree {
  const known = trees.get(verbs) ?? parseVerbs([...verbs.matchAll(/[^\s()]+|[()]/g)].map(([token]) => token));
  trees.set(verbs, known);
  return known;
}

/** Parses verbs up to the end, or to the closing parenthesis of their group. Removes the tokens that it reads. */
function parseVerbs(tokens: string[]): VerbTree {
  const tree = new Map<string, VerbTree>();
  for (let token = tokens.shift(); token !== undefined && token !== ")"; token = tokens.shift()) {
    const isGroup = tokens[0] === "(";
    if (isGroup) tokens.shift();
    const below = isGroup ? parseVerbs(tokens) : new Map<string, VerbTree>();
    for (const name of token.split(",")) tree.set(name, new Map([...(tree.get(name) ?? []), ...below]));
  }
  return tree;
}

/** Returns the verbs below a verb, or below all patterns that match it. Returns undefined if the tree does not contain the verb. */
export function verbsBelow(tree: VerbTree, verb: string): VerbTree | undefined {
  const fits = [...tree].filter(([name]) => name === verb || (name.endsWith("*") && matchesStart(name, verb)));
  if (fits.length === 0 || verb === "_") return undefined;
  return fits.length === 1 ? fits[0]?.[1] : new Map(fits.flatMap(([, below]) => [...below]));
}

const matchesStart = (pattern: string, verb: string): boolean =>
  pattern === "./*"
    ? /^[\w.-]*[./][\w./-]+$/.test(verb)
    : pattern === "*"
      ? /^[a-z][\w-]*$/.test(verb)
      : verb.startsWith(pattern.slice(0, -1));
