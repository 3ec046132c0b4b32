/** Programs that start a package by its name, and folders with such programs. */
const RUNNER =
  /^((npx|bunx|pnpx|uvx|(pipx|poetry|pipenv|pdm|hatch|rye|uv|uv tool) run|(npm|pnpm|yarn|bun) (exec|x|dlx)|bundle exec|python[\d.]* -m)( -\S+)* |(\.\/)?(\.?venv|vendor|node_modules\/\.)\/?bin\/|(\.\/)?bin\/(?=ra(ils|ke) ))(?=@?\w[\w.@/-]{2})/;
/** Programs that run a file of code or of shell text. */
const INTERPRETER =
  /^(python|pypy|node|ruby|perl|php|bash|sh|dash|zsh|tsx|ts-node|bun|bun run|deno run|source|\.)[\d.]*( -\S+)* (?=[\w.-]*[./]\w)/;

/** Beginnings of patterns that mean the same. A rule names either of them, and the command gate gives the second one to its calls. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [RUNNER, ""],
  [INTERPRETER, ""],
  [/^docker-compose /, "docker compose "],
  [/^(\.\/)?(gradle|mvn)w /, "$2 "],
  ...["django", "django-admin"].map((name) => [/^(python[\d.]* )?(\.\/)?manage\.py /, `${name} `] as const),
  [/^(yarn|pnpm|bun|turbo|npm(?= (test|start)\b)) (?!run )(?=\w)/, "$1 run "],
  ...["pnpm", "yarn", "bun", "turbo"].map((name) => [/^npm run /, `${name} run `] as const),
];

const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 1_000;

/**
 * Returns patterns for the program that a pattern starts: `prisma *` for `npx prisma *`, and `x.py*` for `python x.py*`. A rule that limits one way
 * to start a program limits the others as well.
 */
export function startedBy(pattern: string): readonly string[] {
  const found = known.get(pattern);
  if (found) return found;
  const module = /^(python[\d.]* )-m (\w+(?:\.\w+)+)(.*)$/s.exec(pattern);
  const others = SAME.map(([start, other]) => pattern.replace(start, other).replace(/(?<=^[\w@/-]+)\*$/, " *")).filter(
    (other) => other !== pattern,
  );
  const file = module ? [`${module[2]?.replaceAll(".", "/")}.py${module[3]}`] : [];
  const all = [...new Set([...others, ...others.flatMap(startedBy), ...file])];
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(pattern, all);
  return all;
}
