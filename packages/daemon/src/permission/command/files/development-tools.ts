import path from "node:path";
import type { FolderTraversal, NamedPath } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { handedTo, otherNames } from "../programs/other-names.ts";
import { literal, type Word } from "../words/word.ts";

/** Flags with which a formatter or a similar program changes the files in its arguments. */
export const CHANGING = /^(-[wiaA]|--(write|fix|apply|in-?place|auto-?correct|add-noqa)[\w-]*(=.*)?)$/;

/**
 * Tools that change files which their words do not name, with the names of these files. Behind `>` are calls that do so below their folder or
 * in the files of their words, and behind `>>` those that do so in the whole project. A tool without either is a formatter.
 */
const ROWS = String.raw`
prettier > .*--plugin\S*( .*)? : (?:)
eslint eslint_d >> (.* )?(?<!--fix.*)--(suppress-|prune-sup)(?!.*--fix)\S*( .*)? : (^|/)eslint-suppressions\.json$
eslint eslint_d oxlint oxfmt xo standard ts-standard semistandard prettier dprint tslint pretty-quick
  : \.([cm]?[jt]sx?|vue|svelte|astro|json[c5]?|css|s[ac]ss|less|x?html?|hbs|mdx?|markdown|ya?ml|toml|gql|graphqls?|ipynb)$|(^|/)\.\w+rc$
deno > fmt : \.([cm]?[jt]sx?|vue|svelte|astro|json[c5]?|css|s[ac]ss|less|html?|mdx?|markdown|ya?ml|sql|ipynb)$ ; deno > lint .*--fix : \.[cm]?[jt]sx?$
biome ultracite : \.([cm]?[jt]sx?|vue|svelte|astro|json[c5]?|css|gql|graphqls?|html?)$|(^|/)\.\w+rc$
stylelint : \.(css|s[ac]ss|less|vue|svelte|astro|html?|[jt]sx?|mdx?)$ ; markdownlint-cli2 rumdl : \.(mdx?|markdown)$ ; yamlfmt : \.ya?ml$
npm pnpm yarn bun > (run )?(lint|fmt|format|fix)\S* .*--(fix|write)\S* : \.([cm]?[jt]sx?|vue|svelte|css|s[ac]ss)$
vp > fmt|(lint|check) .*--fix : \.([cm]?[jt]sx?|vue|svelte|json[c5]?|css|s[ac]ss|less|html?|mdx?|ya?ml|toml|gql)$
npm pnpm yarn bun vp jsr >> add|remove|rm|r|un\w*|pkg (set|delete|fix)|audit (.* )?(--)?fix|version [\w.-]+|init|link|up(date|grade)?|(i|install|isntall|it|install-test)( -\S+)* [^-]\S*
  : (^|/)package\.json$
jest vitest ava react-scripts vue-cli-service cypress deno bun >> .*(-[a-z]{0,2}u[a-z]?|--\S*[uU]pdate\S*|\S*updateSnap\S*)( .*)? : \.snap$|(^|/)__snapshots__/
pytest >> .*--(snapshot-update|force-regen|regen-all|update\S*|inline-snapshot=\S*) : \.(snap|ambr)$|(^|/)__snapshots__/|(^|/)tests?/ ; npm pnpm yarn bun >> (run )?t(est)?\S* .*(-u|--update\S*) : \.snap$|(^|/)__snapshots__/
tsc >> .*--init : (^|/)tsconfig\.json$ ; taze >> (.* )?(-\w*w\w*|--write) : (^|/)(package\.json|pnpm-workspace\.yaml)$ ; nx >> migrate .*--run\S*( .*)? : (?:) ; nx >> migrate : (^|/)(package|migrations)\.json$ ; corepack >> use|up : (^|/)package\.json$ ; deno >> add|remove : (^|/)(deno\.jsonc?|package\.json)$ ; syncpack > fix\S*|format|update|set-semver-ranges : (^|/)package\.json$ ; expo >> install|prebuild|run:\S+ : (^|/)(package\.json$|(android|ios)/) ; volta >> pin : (^|/)package\.json$ ; msw >> init .*--save : (^|/)package\.json$ ; jest vitest webpack webpack-cli >> init|--init : (^|/)package\.json$ ; ncu npm-check-updates >> (.* )?-[a-zA-Z]*u\w*|.*--upgrade : (^|/)package\.json$ ; sort-package-json : (^|/)package\.json$
ruff : \.(py[iwx]?|pxd|ipynb|md)$ ; uv > format : \.(pyi?|ipynb|md)$ ; hatch > fmt : \.(pyi?|ipynb|md)$ ; jupyter > nbconvert .*(--inplace|--clear-output|--to[ =]notebook).* : \.ipynb$ ; black : \.(pyi?|ipynb)$
ty pyrefly > infer|suppress|.*--(fix|add-ignore|suppress-errors|remove-unused-ignores) : \.(pyi?|ipynb)$ ; monkeytype >> apply|stub : \.pyi?$
isort yapf autopep8 autoflake pyupgrade 2to3 : \.(py[iwx]?|pxd)$ ; pipenv >> install [^-]\S*|uninstall|update : (^|/)Pipfile$ ; uv poetry pdm hatch rye >> (dep )?add|remove|update .*--unc\S*|version .*\S+|init|new|import : (^|/)pyproject\.toml$
rubocop standardrb rufo srb : \.(rb|rake|ru|gemspec|erb|jbuilder|podspec|thor|arb|builder)$|(^|/)\.?[A-Z]\w+file$|(^|/)\.\w+rc$
rails rake >> db:(migrate(:(up|down|redo|reset))?|rollback|prepare|reset|schema\S*) : (^|/)db/\w*(schema|structure)\.(rb|sql)$ ; rails >> (g|generate|d|destroy) (migration|model|scaffold|resource|authentication|\S+:(install|migration)|devise\S*) : (^|/)(db/migrate/|app/|test/|spec/|config/routes\.rb$)
rails >> (g|generate|d|destroy) (controller|job|mailer|mailbox|helper|channel|task|integration_test) : (^|/)(app/(?!models)\w+|test|spec|lib/tasks)/|(^|/)config/routes\.rb$
rails rake >> g|generate|d|destroy|(app|rails):update : (?<!schema)\.(rb|erb)$|(^|/)Dockerfile$ ; spoom >> bump : \.rbi?$ ; annotate annotaterb >> .* : (^|/)(app/models|test|spec|config)/.*\.rb$ ; rspec >> .*--init : (^|/)spec/\w+_helper\.rb$
bundle >> add|remove|init : (^|/)(Gemfile|gems\.rb)$
erblint erb_lint : \.(erb|html)$ ; haml-lint : \.haml$ ; twig-cs-fixer : \.twig$ ; elm-review : \.elm$ ; elm-format > .* : \.elm$
mago duster php-cs-fixer pint ecs rector phpcbf psalm : \.php$ ; artisan >> make:(migration|\S+-table) : (^|/)database/migrations/ ; laravel >> new : \.php$ ; artisan >> \w+:cache|optimize : (^|/)bootstrap/cache/
artisan >> make:\S+ .*-(\w*[ma]\w*|-migration|-all) : (^|/)(database/migrations|app)/ ; artisan >> make:test : (^|/)tests/ ; artisan >> make:(controller|request|resource|middleware|command|job|mail|event|listener|policy|rule) : (^|/)app/(?!Models)
artisan >> (make|lang|vendor|stub|ide-helper|install):\S+ : (^|/)(app|lang|config|routes|stubs|resources|database/(factories|seeders))/.*\.php$|(^|/)_ide_helper
composer >> require|remove|normalize|init|config|bump|.*--bump-after-update : (^|/)composer\.json$
golangci-lint gofmt gofumpt goimports : \.go$ ; changeset >> version : (^|/)(CHANGELOG\.md|package\.json)$ ; standard-version commit-and-tag-version conventional-changelog auto-changelog >> .* : (^|/)(CHANGELOG\.md|package\.json)$ ; sqlc >> generate : \.go$ ; mockery ent wire cobra-cli gqlgen >> .* : \.go$ ; go > fmt|fix|vet .*-fix\S* : \.go$ ; gopls >> (.* )?--?w(rite)? : \.go$ ; go >> .*-mod[= ]mod( .*)? : (^|/)go\.(mod|sum)$ ; gomajor >> get.* : (^|/)go\.mod$ ; go >> get|mod (tidy|edit|init)|work (init|use|edit|sync) : (^|/)go\.(mod|work)$
rustfmt > .* : \.rs$ ; cargo >> fmt|fix|clippy .*--fix : \.rs$ ; cargo maturin wasm-pack >> new|init|generate : \.rs$|(^|/)Cargo\.toml$
cargo >> add|rm|remove|sort|upgrade|machete .*--fix|hack .*--no-dev-deps.* : (^|/)Cargo\.toml$
dotnet >> format : \.(cs|vb|fs)(html|x)?$ ; dotnet >> new (?!list |gitignore |editorconfig |globaljson |nugetconfig |tool-manifest |sln )[a-z]\S* : \.(cs|vb|fs)(html|proj)?$ ; dotnet dotnet-ef >> (ef )?migrations (add|remove) : \.(cs|vb|fs)$
dotnet >> new (gitignore|editorconfig|globaljson|nugetconfig|sln)\b.* : (^|/)(\.gitignore|\.editorconfig|global\.json|nuget\.config)$|\.slnx?$
dotnet >> add|remove|(package|reference) (add|remove|update) : proj$|(^|/)Directory\.Packages\.props$ ; dotnet >> sln .*(add|remove) : \.slnx?$
alembic >> (revision|merge|init)( .*)? : (^|/)versions/ ; sqlx diesel dbmate goose flask knex sequelize typeorm migrate atlas drizzle-kit >> (db )?(migrations?[ :])?(migrate|add|new|create|generate|revision|make|diff|init|merge)(:\S+)?( \S+)* : (^|/)(migrations?|versions|drizzle)/ ; dotnet-outdated >> .*-u\S* : proj$|(^|/)Directory\.Packages\.props$ ; jb roslynator >> cleanupcode|format|fix : \.cs$
tflint : \.(tf|tfvars|tofu)$ ; terraform tofu terragrunt nomad packer > fmt : \.(tf|tfvars|hcl|tofu|nomad)$ ; mix > (do .*)?format : \.(exs?|h?eex)$ ; mix >> (do .*)?(ecto\.gen\.migration|ash\S*\.gen\S*|oban\.install|igniter\S*|phx\.gen\.\S+) : \.(exs?|h?eex)$|(^|/)Dockerfile$ ; dart > format|fix .*--apply : \.(dart|yaml)$
manage.py django-admin django >> (makemigrations|squashmigrations|startapp)( .*)? : (^|/)migrations/
dart flutter fvm puro >> (flutter |dart )?(pub|packages) (add|remove|(up|down)grade .*--(major-versions|tighten)) : (^|/)pubspec\.yaml$ ; cider >> .* : (^|/)(pubspec\.yaml|CHANGELOG\.md)$
dart flutter >> (pub )?run (flutter_launcher_icons|flutter_native_splash|change_app_package_name|rename)\S* : (^|/)(android|ios)/ ; flutterfire >> configure : (^|/)(android|ios|lib)/
swift >> package (add-\S+|tools-version .*--set\S*|init) : (^|/)Package\.swift$ ; helm >> create : (^|/)(Chart|values)\.ya?ml$ ; kustomize >> edit|create : (^|/)kustomization\.ya?ml$
terraform-docs >> .*--output-file.* : \.(md|adoc)$ ; actionlint >> .*-init-config : (^|/)\.github/ ; pinact >> run|init : (^|/)\.github/ ; forge >> (install|remove|update|init)( .*)? : (^|/)\.gitmodules$
mise rtx >> lock|up(grade)?|i(nstall)? : (^|/)mise\.lock$ ; hugo >> (?!(server|serve|version|list|config|env|help|mod|gen|new)( |$)).* : (^|/)public/ ; typedoc >> (?!.*--out).* : (^|/)docs/ ; swag >> init : (^|/)docs/ ; qmake >> .* : (^|/)Makefile$|\.pro$ ; kubebuilder operator-sdk >> init|create|edit : (^|/)(Makefile|PROJECT|Dockerfile)$|\.go$ ; dvc >> exp run .*(-S|--set-param).* : \.ya?ml$
bumpversion bump2version bump-my-version bumpver cz commitizen semantic-release towncrier scriv >> .* : (^|/)(pyproject\.toml|setup\.(cfg|py)|CHANGELOG\S*|VERSION|__init__\.py|package\.json)$
pip-compile piptools pipreqs pur pigar pip-upgrade >> .* : (^|/)requirements\S*\.(txt|in)$
eas >> (build|update|metadata):configure|init : (^|/)(eas|app)\.json$ ; agvtool >> (new|next)-.* : (^|/)(Info\.plist|project\.pbxproj)$
autoupdate >> .* : (^|/)configure\.(ac|in)$
taplo tombi : \.toml$ ; buf > format .*(-w|--write) : \.proto$ ; buf >> generate : \.go$|[._]pb\. ; ktlint detekt : \.kts?$ ; npm-groovy-lint : \.(groovy|gradle)$|(^|/)Jenkinsfile ; scalafmt : \.(scala|sc|sbt)$ ; scalafix > .* : \.(scala|sc|sbt)$ ; sbt >> .*scalaf(mt|ix)(All|Sbt)?\b.* : \.(scala|sc|sbt)$ ; swiftformat swiftlint : \.swift$
sqlfluff sqruff : \.sql$ ; zig > fmt : \.(zig|zon)$ ; zig >> fetch .*--save\S*( .*)? : \.zon$ ; stylua : \.luau?$ ; nixfmt alejandra nixpkgs-fmt statix : \.nix$ ; deadnix > (.* )?(-\w*e\w*|--edit) : \.nix$ ; nix >> flake (update|lock|init) : (^|/)flake\.(lock|nix)$
gleam > format : \.gleam$ ; gleam >> add|remove : (^|/)gleam\.toml$ ; crystal > tool format : \.cr$ ; cljfmt cljstyle : \.(clj[cdsx]?|edn|bb)$ ; lein > cljfmt fix : \.(clj[cdsx]?|edn)$
dune >> fmt|promote|.*--auto-promote : \.(mli?|re)$|(^|/)dune(-project)?$ ; ocamlformat : \.mli?$ ; meson muon >> rewrite|(format|fmt) .*(-\w*i\w*|--in-?place) : (^|/)meson(\.build|\.options|_options\.txt)$
clang-tidy run-clang-tidy : \.([ch](c|h|pp|xx|\+\+)?|mm?|cu)$ ; gazelle >> .* : (^|/)BUILD(\.bazel)?$ ; buildozer >> .* : (^|/)(BUILD|MODULE)(\.bazel)?$ ; bazel >> run .*:(gazelle|buildifier)\S*( .*)?|mod tidy : (^|/)(BUILD|MODULE)(\.bazel)?$ ; buildifier > .* : (^|/)(BUILD|MODULE|WORKSPACE)(\.bazel)?$|\.bzl$
shfmt : \.(sh|bash|bats|mksh|ksh|zsh)$|(^|/)[^./]*$ ; mvn gradle gradlew >> .*rewrite:?[rR]un\S* : (?:) ; mvn gradle gradlew > .*(spotless:?[aA]pply|fmt:format|formatter:format|ktlintFormat|detekt.* --auto-correct|formatKotlin|googleJavaFormat) : \.(java|kts?|groovy|gradle|scala|xml)$ ; nx ng next turbo > .*--fix|format(:write)?|g(enerate)? : (?:) ; prisma >> format|db pull( .*)? : \.prisma$ ; prisma >> migrate (dev|diff) : (^|/)migrations/ ; knip > .*--fix : (?:)
ruplacer grit autocorrect opengrep semgrep license-eye trunk qlty hk >> (.* )?(--go|apply|fmt|fix|--(auto)?fix) : (?:) ; codemod addlicense >> .* : (?:) ; nix > fmt : (?:)
codespell typos fastmod ast-grep sg comby treefmt : (?:)`;

/** A program and its flags in front of a verb. */
const VERB = String.raw`^ \S+( (-C|--(manifest-path|directory|project|config|working-dir)) \S+| [-+]\S+)* `;

/** The same, where a flag may also take the next word. */
const ANY_FLAGS = String.raw`^ \S+( [-+]\S+( [^-\s]\S*)??)* `;

const TOOLS = ROWS.replaceAll(/\n +/g, " ")
  .trim()
  .split(/\n| ; /)
  .map((row) => {
    const [head = "", files = ""] = row.split(" : ");
    const [names = "", calls] = head.split(/ >>? /);
    const isChanged = new RegExp(files);
    return {
      names: names.split(" "),
      calls: calls === undefined ? undefined : new RegExp(`${head.includes(" >> ") ? ANY_FLAGS : VERB}(${calls})( |$)`),
      isProject: head.includes(" >> "),
      isAny: files === "(?:)",
      leavesOut: (folder: string) => (_: string, below: string) => !isChanged.test(`${folder}/${below}`),
    };
  });

const BY_NAME = Map.groupBy(
  TOOLS.flatMap((row) => row.names.map((name) => ({ name, row }))),
  ({ name }) => name,
);

/** Formatters that change files without a flag, and those that change only files in their arguments. */
const ALWAYS = wordSet(`prettier black isort swiftformat rufo pint pyupgrade yamlfmt scalafmt oxfmt treefmt fastmod pretty-quick stylua
  nixfmt alejandra nixpkgs-fmt rector phpcbf sort-package-json`);
const NAMED = /^(prettier|black|isort|swiftformat|rufo|gofmt)$/;
/** Calls of formatters that change files. `-w`, `-i` and `-A` may be part of a cluster. */
const FORMATS =
  / (fmt|format|fix?|autocorrect|--fi|--config[= ]\S*fix\S*|-[axFU]|-\w{0,2}[wiA]\w?(=\S*)?|--?(write|fix|apply|alter|in-?place|(safe-)?auto-?correct|add-noqa|(update|accept)-all)[\w-]*(=\S*)?) |^ ktlint .*--format /;
/** Calls that only tell what would change. */
const CHECKS =
  /^(?!.* -(-write|\w?w) )( prettier (.* )?-[lc] | pint (.* )?--test | (ruff|black|isort) (.* )?--diff |.*(?<! --(\w+-)?(exclude|include|config|ignore|rules|filename|magics)) --?(check|(fix-)?dry-?run|verify-no-changes|list-different)(?!=(false|no|0))| \S+ --(version|help) $)/;
/** Calls that only print, although others of the same verb change files. */
const PRINTS =
  /^ (poetry version (-s )?$|cargo sort .*--check |go mod edit .*-(json|print) |pipreqs .*--print |towncrier (check|build .*--draft) |(cz|commitizen) (check|version|info|example|schema|ls) |typedoc .*--out(put)? (?!docs)|bump-my-version (show|sample-config|replace .*--dry-run) |codespell (?!.*-(-write|\w*w))|clang-format (?!.* -\w*i)(.* )?(--dry-run|-n) |(scalafix|buildifier|elm-format|addlicense) .*-(test|stdout|validate|check|mode=(check|diff|print\S*)) |buildozer .*print |biome (format|lint|check|ci) (?!.*--(write|fix|apply|unsafe))|terraform fmt .*-write=false |prisma db pull .*--print |swiftformat .*--(lint|dryrun) |dotnet sln (\S+ )?list |rails (g|generate) .*--(help|pretend) )/;
/** Flags whose value may be a path. */
const VALUED =
  /^(-[cpfoeE]|--(config|only|except|department|rcfile|ignore|manifest|stdin|cache-|plugin|parser|ext|rule|format|output|resolve|exclude|skip|per-file|globs|env|build-tags|line-width|project|ignore)[\w-]*)$/;

/** Tools and calls that change nothing in their arguments. Their flags may name outputs. */
const KEEPS = new RegExp(
  String.raw`^ (mypy|pyright|basedpyright|flake8|pylint|bandit|pytest|phpcs|phpstan|phpunit|pest|jest|vitest|mocha|rspec|playwright test|cypress run
  |(vue-)?tsc (.* )?(--noEmit|--showConfig|-[pb]|--project|--build)|xmlstarlet (sel|el|val) |kustomize build|kubectl kustomize|tflint|mdformat .*--check|helm (lint|package|template|show|status|list|diff|dep\w* (list|ls))|vite build(?!.* --outDir)|next (build|dev|start|lint)|ansible-(lint|playbook (.* )?--check)|(manage\.py|django(-admin)?) (check|test|migrate|sqlmigrate|showmigrations)|shellcheck|hadolint|yamllint|svelte-check|staticcheck|go (test|vet|build|install|list)|deno (lint|check|test)|rails test|php -l|pandoc|(magick )?identify(?!.*( -write|\w:|\.msl))|prisma (generate|validate)
  |cargo (test|nextest|build|check|clippy|bench|tree|doc)|dotnet (build|test|publish|restore|list|pack|sln (\S+ )?list|ef (.* list|dbcontext info|migrations (script|has-pending-model-changes)))
  |terraform (validate|fmt .*-check)|(uv )?pip3? install (.* )?(-r|--requirement)|alembic (upgrade|downgrade|current|history|heads|branches|show|check)) `.replaceAll(
    /\n\s*/g,
    "",
  ),
);

/** Flags with which tests write their snapshots, which may be in the tests. */
const UPDATES = /^-u$|^--.*(update|snapshot)/i;

/**
 * A call of a development tool. `changes`: it changes files that its words do not name. `isProject`: they may be anywhere in the project.
 * `keeps`: it changes none of those that its words name. `leavesOut`: the files of a folder that it does not change.
 */
export type ToolCall = { changes: boolean; isProject: boolean; keeps: boolean; leavesOut?: Leaves };
type Leaves = NonNullable<FolderTraversal["leavesOut"]>;

/** Returns what a call means for the files that it names and for those that it does not name. */
export function toolCall(name: string, words: readonly Word[]): ToolCall {
  const [tool, ...verb] = toolNamed(name) ?? [name];
  if (tool !== name)
    return toolCall(tool, [...verb.map(literal), ...words.slice(verb[0] !== undefined && verb[0] === words[0]?.text ? 1 : 0)]);
  const call = ` ${[name, ...words.map(({ text }) => text)].join(" ")} `;
  const row = BY_NAME.get(name)?.find(({ row: { calls } }) => calls?.test(call) ?? true)?.row;
  const changes =
    row !== undefined && (row.calls !== undefined || ALWAYS.has(name) || FORMATS.test(call)) && !CHECKS.test(call) && !PRINTS.test(call);
  const keeps = row
    ? !changes && (!row.isAny || PRINTS.test(call))
    : KEEPS.test(call) && !words.some(({ text }) => CHANGING.test(text) || UPDATES.test(text));
  return { changes, isProject: row?.isProject === true, keeps, ...(row ? { leavesOut: row.leavesOut } : {}) };
}

/** True for a name of a tool in the table. */
export const isDevelopmentTool = (name: string): boolean => toolNamed(name) !== undefined;

/** Returns the name of a tool in the table, and the verb that is a part of another name: `cargo add` for `cargo-add`. */
const toolNamed = (name: string): [string, ...string[]] | undefined =>
  [name, ...otherNames(name), handedTo(name) ?? name]
    .map((each) => each.split(" ") as [string, ...string[]])
    .find(([tool]) => BY_NAME.has(tool));

/** Returns the folders in which a tool changes files that its words do not name. `isOnDisk`: true for a path. */
export function changedFolders(name: string, words: readonly Word[], root: string, isOnDisk: (word: Word) => boolean): NamedPath[] {
  const { changes, isProject, leavesOut } = isDevelopmentTool(name) ? toolCall(name, words) : {};
  if (!changes || !leavesOut) return [];
  const texts = words.map(({ text }) => text);
  const isPath = (text: string, i: number) =>
    !/^-|^\.\w+$/.test(text) && !VALUED.test(texts[i - 1] ?? "") && (/[./*?]/.test(text) || isOnDisk(literal(text)));
  const around = name === "rustfmt" ? texts.filter(isPath).map((text) => path.posix.dirname(text)) : []; // it also formats the modules of a file
  const folders = texts.filter((text) => /^\.{1,2}\/?(\.{3})?$/.test(text)).map((text) => text.replace(/\/\.{3}$/, ""));
  const isNamed = folders.length > 0 || NAMED.test(name) || texts.some(isPath);
  // `cargo add` changes only this manifest. `cargo remove` may also change that of the workspace.
  const manifest = /^cargo (.* )?--manifest-path[= ](\S+)/.exec([name, ...texts].join(" "))?.[2];
  if (manifest !== undefined && texts.includes("add")) return [{ word: literal(manifest), use: "edits" }];
  const places = isProject ? [root] : isNamed ? [...around, ...folders] : ["."];
  return places.map((place) => ({ word: literal(place), use: "mentions", search: { suspected: true, leavesOut } }));
}
