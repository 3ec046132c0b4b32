import { remembered } from "../text/remembered.ts";

/** Programs that start a package by its name, and folders with such programs. */
const RUNNER =
  /^((npx|bunx|pnpx|uvx|(pipx|poetry|pipenv|pdm|hatch|rye|uv|uv tool) run|(npm|pnpm|yarn|bun) (exec|x|dlx)|bundle exec|python[\d.]* -m)( -\S+)* |(\.\/)?(\.?venv|vendor|node_modules\/\.)\/?bin\/|(\.\/)?bin\/(?=ra(ils|ke) ))(?=@?\w[\w.@/-]{2})/;
/** Programs that run a file of code or of shell text. */
const INTERPRETER =
  /^(python|pypy|node|ruby|perl|php|bash|sh|dash|zsh|tsx|ts-node|bun|bun run|deno run|Rscript|julia|lua|source|\.)[\d.]*( -\S+)* (?=[\w.-]*[./]\w)/;

/** Programs that run a task of the project. */
const RUN = /^((npm|pnpm|yarn|bun|turbo) run|deno task) /;

/** Beginnings of patterns, and what a rule about such a call also means. */
const MEANS: readonly (readonly [RegExp, string])[] = [
  [RUNNER, ""],
  [INTERPRETER, ""],
  [/^python[\d.]* -m (\w+)\.([\w.]+)/, "$1/$2.py"],
  [/^docker-compose /, "docker compose "],
  [/^jupyter (?=\w)/, ""],
  [/^inv /, "invoke "],
  [/^(\.\/)?(gradle|mvn)w /, "$2 "],
  [/^go run (\S*\/)?(?=[\w-]+)/, ""],
  [/^go run /, "dlv debug "],
  [/^(php )?(\.\/)?(bin|app)\/console /, "symfony console "],
  [/^cargo run (\S+ )*(--bin|-p|--package)[ =](?=[\w-]+)/, ""],
  ...["django", "django-admin"].map((name) => [/^(python[\d.]* )?(\.\/)?manage\.py /, `${name} `] as const),
  [/^(yarn|pnpm|bun|turbo|npm(?= (test|start)\b)) (?!run )(?=\w)/, "$1 run "],
  ...["npm run", "pnpm run", "yarn run", "bun run", "turbo run", "deno task"].map((name) => [RUN, `${name} `] as const),
];

/**
 * Returns patterns for the program that a pattern starts: `prisma *` for `npx prisma *`, and `x.py*` for `python x.py*`. A rule that limits one way
 * to start a program limits the others as well.
 */
export const startedBy = remembered((pattern): readonly string[] => {
  const all = new Set([pattern]); // the loop also visits what it adds
  for (const each of all)
    for (const [start, other] of MEANS) {
      const meant = each.replace(start, other);
      if (meant !== each) all.add(meant.replace(/(?<=^[\w@/-]+)\*$/, " *"));
    }
  all.delete(pattern);
  return [...all];
});
