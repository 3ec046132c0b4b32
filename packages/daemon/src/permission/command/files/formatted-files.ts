import type { NamedPath } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { literal, type Word } from "../words/word.ts";

/** Flags with which a formatter or a similar program changes the files in its arguments. */
export const CHANGING = /^(-[wiaA]|--(write|fix|apply|in-?place|autocorrect|add-noqa)[\w-]*(=.*)?)$/;

/** Formatters and linters that find files below the working folder, and the kinds of files that they change. */
const FORMATTERS = Object.entries({
  "eslint oxlint oxfmt biome xo standard ts-standard semistandard prettier deno stylelint dprint":
    /\.([cm]?[jt]sx?|vue|svelte|astro|json[c5]?|css|s[ac]ss|less|x?html?|hbs|mdx?|markdown|ya?ml|toml|gql|graphqls?|ipynb)$|^\.\w+rc$/,
  "ruff black isort yapf autopep8 autoflake pyupgrade": /\.(py[iwx]?|pxd|ipynb|md)$/,
  "rubocop standardrb rufo": /\.(rb|rake|ru|gemspec|erb|jbuilder|podspec|thor|arb|builder)$|^\.?[A-Z]\w+file$|^\.\w+rc$/,
  "go golangci-lint gofumpt goimports": /\.go$/,
  cargo: /\.(rs|toml)$/,
  "terraform tofu terragrunt": /\.(tf|tfvars|hcl|tofu)$/,
  dotnet: /\.(cs|vb|fs|cs(html|proj))$/,
  "swiftformat swiftlint": /\.swift$/,
}).map(([names, files]) => ({ names: wordSet(names), leavesOut: () => (file: string) => !files.test(file) }));

/** Returns the formatter that one of these words names. */
export const formatterOf = (words: readonly string[]) => FORMATTERS.find(({ names }) => words.some((word) => names.has(word)));

/** Formatters that print or change the files in their arguments without a flag for it. */
const BY_DEFAULT = wordSet("prettier black isort swiftformat rufo");

/** Returns the folders in which a formatter changes files whose names are not in its arguments. `isOnDisk`: true for the path of a file. */
export function formattedFolders(name: string, words: readonly Word[], isOnDisk: (word: Word) => boolean): NamedPath[] {
  const leavesOut = formatterOf([name])?.leavesOut;
  const texts = words.map(({ text }) => text);
  const isCheck = texts.some((text) => /^-(-?(check|diff|dry-?run|verify-no-changes|list-different)|[lc]$)/.test(text));
  const formats = BY_DEFAULT.has(name) || texts.some((text) => /^(fmt|format|fix)$/.test(text));
  if (!leavesOut || !(texts.some((text) => CHANGING.test(text) || text === "-x") || (formats && !isCheck))) return [];
  const operands = texts.filter(
    (text, i) => !text.startsWith("-") && (!texts[i - 1]?.startsWith("-") || CHANGING.test(texts[i - 1] ?? "")),
  );
  const folders = operands.filter((text) => /^\.{1,2}\/?(\.{3})?$/.test(text)).map((text) => text.replace(/\/\.{3}$/, ""));
  const isNamed = BY_DEFAULT.has(name) || operands.some((text) => /[./*?]/.test(text) || isOnDisk(literal(text)));
  return (isNamed ? folders : ["."]).map((folder) => ({ word: literal(folder), use: "mentions", search: { suspected: true, leavesOut } }));
}
