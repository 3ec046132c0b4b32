import type { NamedPath } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { literal, type Word } from "../words/word.ts";

/** Flags with which a formatter or a similar program changes the files in its arguments. */
export const CHANGING = /^(-[wiaA]|--(write|fix|apply|in-?place|auto-?correct|add-noqa)[\w-]*(=.*)?)$/;

/** Formatters and similar tools that find files below the working folder, and the kinds of files that they change. */
const FORMATTERS = Object.entries({
  "eslint eslint_d oxlint oxfmt biome xo standard ts-standard semistandard prettier deno stylelint dprint tslint yamlfmt pretty-quick markdownlint-cli2":
    /\.([cm]?[jt]sx?|vue|svelte|astro|json[c5]?|css|s[ac]ss|less|x?html?|hbs|mdx?|markdown|ya?ml|toml|gql|graphqls?|ipynb)$|^\.\w+rc$/,
  "ruff uv hatch black isort yapf autopep8 autoflake pyupgrade": /\.(py[iwx]?|pxd|ipynb|md)$/,
  "rubocop standardrb rufo": /\.(rb|rake|ru|gemspec|erb|jbuilder|podspec|thor|arb|builder)$|^\.?[A-Z]\w+file$|^\.\w+rc$/,
  "go golangci-lint gofumpt goimports": /\.go$/,
  "cargo terraform tofu terragrunt dotnet": /\.(rs|toml|tf|tfvars|hcl|tofu|cs|vb|fs|cs(html|proj))$/,
  "mix dart taplo buf php-cs-fixer pint ktlint scalafmt swiftformat swiftlint sqlfluff":
    /\.(exs?|h?eex|dart|toml|proto|php|kts?|scala|sc|sbt|swift|sql)$/,
  "codespell typos fastmod ast-grep sg comby treefmt": /(?:)/,
}).map(([names, files]) => ({ names: wordSet(names), leavesOut: () => (file: string) => !files.test(file) }));

/** Returns the formatter that one of these words names. */
export const formatterOf = (words: readonly string[]) => FORMATTERS.find(({ names }) => words.some((word) => names.has(word)));

/** Formatters of the files in their arguments, and of whole projects. */
const [NAMED, OF_PROJECT] = [/^(prettier|black|isort|swiftformat|rufo)$/, /^(cargo|dotnet)$/];
/** Calls that change files. `-w`, `-i` and `-A` may be part of a cluster. */
const FORMATS =
  /^ (prettier|black|isort|swiftformat|rufo|pint|yamlfmt|scalafmt|oxfmt|treefmt|fastmod|pretty-quick) | (fmt|format|fix|autocorrect|-[axFU]|-\w{0,2}[wiA]\w?|--(write|fix|apply|in-?place|(safe-)?auto-?correct|add-noqa|(update|accept)-all)[\w-]*(=\S*)?) /;
/** Flags whose value may be a path. */
const VALUED = /^(-[cpfoeE]|--(config|rcfile|ignore|manifest|stdin|cache-|plugin|parser|ext|rule|format|output|resolve)[\w-]*)$/;
/** Calls that do something else than the formatter of this name. */
export const OTHERWISE =
  /^ ((npm|pnpm|yarn|bun) run|(go|cargo|dotnet|deno|terraform|tofu|terragrunt|mix|dart|buf)(?!.* (fmt|format|fix|lint|clippy))) /;
/** Calls that only tell what would change. */
const CHECKS = /^(?!.* -(-write|\w?w) )( prettier (.* )?-[lc] |.* --?(check|dry-?run|verify-no-changes|list-different))/;

/** Returns the folders in which a formatter changes files that its words do not name. `isOnDisk`: true for a path. */
export function formattedFolders(name: string, words: readonly Word[], root: string, isOnDisk: (word: Word) => boolean): NamedPath[] {
  const leavesOut = formatterOf([name])?.leavesOut;
  const texts = words.map(({ text }) => text);
  const call = ` ${[name, ...texts].join(" ")} `;
  if (!leavesOut || !FORMATS.test(call) || CHECKS.test(call) || OTHERWISE.test(call)) return [];
  const isPath = (text: string, i: number) =>
    !/^-|^\.\w+$/.test(text) && !VALUED.test(texts[i - 1] ?? "") && (/[./*?]/.test(text) || isOnDisk(literal(text)));
  const folders = texts.filter((text) => /^\.{1,2}\/?(\.{3})?$/.test(text)).map((text) => text.replace(/\/\.{3}$/, ""));
  const isNamed = folders.length > 0 || NAMED.test(name) || (!OF_PROJECT.test(name) && texts.some(isPath));
  const places = isNamed ? folders : [OF_PROJECT.test(name) ? root : "."];
  return places.map((place) => ({ word: literal(place), use: "mentions", search: { suspected: true, leavesOut } }));
}
