import { parseTables, type Table } from "./argument-table.ts";
import { namePairs, wordSet } from "./name-matcher.ts";

/**
 * A program with verbs. `verbs` are those that a grant for the whole program covers. They read, build, test, format, or work on local files
 * and history. `a(b c)` means `a b` and `a c`, and `x,y(z)` means `x(z) y(z)`. `_` means no further word, `*` matches any characters, and `./*` a path.
 */
export type VerbTable = {
  verbs: string;
  /** Flags that may come before a verb: without a value, and with one. */
  flags?: string;
  valued?: string;
  /** Any other word is a task of the project. `scripts`: it is one of its `scripts`. `any`: Baton can judge it only by its name. */
  tasks?: "scripts" | "any";
  /** Verbs whose next word is a task of the project. */
  runs?: string;
  /** Each further word is a verb as well. */
  several?: true;
  /** Flags that may follow a verb. Baton asks for any other flag. The key is the verb, or the empty name for all other verbs. */
  behind?: Readonly<Record<string, Table>>;
  /** Flags that make the program only name what it would do. */
  dry?: string;
  /** Flags of the program come only before its verb. */
  flagsFirst?: true;
  /** Addresses among its words are data for what the program runs, not code. */
  local?: true;
  /** Settings such as `-Dname=value` that change only the amount of work. */
  properties?: RegExp;
};

type Row = Omit<VerbTable, "behind"> & Table;

/** The tables as text: `name | verbs: ...`, then `name:verb | flags: ...` for the flags after a verb. */
const rows = parseTables<Row>(String.raw`
npm | flags: -s -d -q -y -ws --silent --quiet --yes --json --production --offline --prefer-offline --workspaces --include-workspace-root
  --ignore-scripts --legacy-peer-deps --frozen-lockfile --if-present --verbose --audit --no-audit --no-fund --no-progress --no-color
  --no-save --color | valued: --prefix -C -w --workspace --loglevel | runs: run run-script | verbs: test t tst run run-script start stop
  restart install i add ci clean-install it cit install-test isntall uninstall un remove rm r update up outdated ls list ll la view v info
  show why explain audit root prefix bin ping help search query fund doctor dedupe prune rebuild exec x pack init(_) version(_) cache(ls verify)
  config(get list ls) pkg(get) c(get) sbom
npm:install,npm:i,npm:add,npm:ci,npm:clean-install,npm:it,npm:cit,npm:install-test,npm:isntall,npm:update,npm:up | @npm | flags+: -D -E -O
  -P -S -f -B --save --save-dev --save-exact --save-optional --save-peer --save-prod --force --no-package-lock --package-lock-only --no-save
  --dry-run --strict-peer-deps --no-optional --foreground-scripts --prefer-dedupe -r --recursive --dev --peer --optional --exact --tilde
  --caret -T -W -w -F --immutable --immutable-cache --check-files --pure-lockfile --non-interactive --ignore-engines --ignore-optional
  --no-lockfile --lockfile-only --fix-lockfile --no-frozen-lockfile --ignore-workspace-root-check --workspace-root --shamefully-hoist
  --force --latest -i -L --interactive --filter-none --no-color -A --mode-none | valued: --workspace --omit --include --loglevel --prefix
  --save-prefix --install-strategy --os --cpu --filter --network-timeout --reporter --mode --depth -w | only:
  ^(@[\w.-]+\/)?[\w.-]+(@[\w.^~<>=*|+ -]*)?$|^\.{1,2}(\/[\w.-]+)*\/?$
pnpm | @npm | flags+: -r -w --recursive --workspace-root --parallel --stream --no-bail --aggregate-output | valued: -F --filter
  --filter-prod -C --dir --prefix --reporter --loglevel --workspace-concurrency | runs: run | tasks: scripts | verbs: test t run run-script
  start install i add remove rm uninstall un update up outdated ls list ll la why audit exec dlx root bin licenses(_ list) fetch prune
  dedupe rebuild import store(path status) pkg(get) config(get list) help doctor init(_) pack info view
pnpm:install,pnpm:i,pnpm:add,pnpm:update,pnpm:up,yarn:install,yarn:add,yarn:up,yarn:upgrade,bun:install,bun:i,bun:add,bun:update |
  @npm:install | valued-: -w
yarn | @npm | valued: --cwd --mutex | runs: run | tasks: scripts | verbs: _ test run start install add remove up upgrade outdated list info
  why audit exec dlx workspaces workspace bin cache(dir list) dedupe constraints(_ query) config(get list) explain help init(_) check node
bun | @npm | flags+: --bun --hot --watch | valued: --cwd --filter | runs: run | tasks: scripts | verbs: test run install i add remove rm
  update outdated pm(ls bin hash) build x why audit help init(_) start
deno | flags: -q --quiet | runs: task | tasks: scripts | verbs: run test lint fmt check cache task info doc bench compile types coverage add remove outdated init help
deno:init | flags: --lib --serve --empty
cargo | flags: -q -v -vv --quiet --verbose --offline --locked --frozen | valued: --color -C --manifest-path | runs: xtask | verbs: xtask build b check c test t
  run r bench doc d fmt clippy clean tree metadata update add remove rm new init fix nextest(run list) expand locate-project pkgid search
  info help version generate-lockfile fetch audit outdated deny(check list) llvm-cov tarpaulin machete udeps miri(test run)
  semver-checks bloat sort
go | valued: -C | verbs: build test vet fmt list run mod(tidy download verify graph why init vendor edit) get doc env version tool(cover
  pprof nm objdump trace) generate install fix clean help work(sync use init)
gradle | local several | dry: -m --dry-run | flags: -i -s -q -m -w --info --stacktrace --full-stacktrace --quiet --warn --no-daemon --daemon
  --parallel --no-parallel --continue --offline --rerun-tasks --build-cache --no-build-cache --dry-run --refresh-dependencies
  --configure-on-demand --configuration-cache --no-configuration-cache --profile --status --stop --all --rerun --fail-fast --no-watch-fs --debug-jvm |
  valued: -x -p --exclude-task --tests --console --warning-mode --max-workers --project-dir --configuration --dependency --args --task
  | tasks: any | verbs: _ build test check clean assemble tasks dependencies projects help | properties:
  ^-(P(?!org\.gradle\.(jvmargs|java\.home)|systemProp)[\w.-]+|D(org\.gradle\.(daemon|parallel|caching|workers\.max|logging\.\w+|warning\.mode|console|configureondemand|vfs\.watch|configuration-cache[\w.-]*)|test\.single|skipTests|tests?|debug|file\.encoding|user\.(timezone|language|country)|spring\.profiles\.active|profile))(=[^/\\;|\x60$]*)?$
mvn | several | flags: -q -B -U -o -e -X -am -amd -ntp -V -fae -ff -fn -N --quiet --batch-mode --update-snapshots --offline --errors --debug
  --also-make --also-make-dependents --no-transfer-progress --fail-at-end --fail-fast --show-version -version --version --non-recursive | valued: -pl -P -T -f
  -rf --projects --activate-profiles --threads --file --resume-from | verbs: validate initialize generate-sources process-resources compile
  process-classes test-compile test prepare-package package integration-test verify install clean site dependency:tree dependency:list
  dependency:analyze dependency:resolve dependency:go-offline dependency:sources help:effective-pom help:evaluate help:describe
  help:active-profiles versions:display-dependency-updates versions:display-plugin-updates versions:display-property-updates spotless:apply
  spotless:check checkstyle:check checkstyle:checkstyle pmd:check spotbugs:check surefire:test failsafe:integration-test failsafe:verify
  jacoco:report flyway:info flyway:validate formatter:format fmt:format fmt:check compiler:compile compiler:testCompile resources:resources enforcer:enforce
  javadoc:javadoc spring-boot:run quarkus:dev jetty:run | properties:
  ^-D(skip(Tests|ITs)?|maven\.(test|javadoc|source)\.skip|test|it\.test|(surefire\.)?failIfNo(SpecifiedTests|Tests)|(checkstyle|jacoco|enforcer|spotbugs|pmd|spotless|spotless\.check|license)\.skip|groups|excludedGroups|trimStackTrace|style\.color|includes|excludes|verbose|expression|forceStdout|artifact|detail|spring\.profiles\.active|spring-boot\.run\.profiles|tests?|parallel|threadCount|forkCount|reuseForks)(=[^/\\;|\x60$]*)?$
dotnet | flags: --list-sdks --list-runtimes --info | verbs: _ build test run restore clean publish pack format watch(_ test run build)
  list(_ package reference ./*(package reference)) sln(list add remove ./*(list add remove)) add(package reference ./*(package reference))
  remove(package reference ./*(package reference)) new(list console classlib web webapi mvc
  xunit nunit mstest sln gitignore worker blazor) ef(migrations(add list script has-pending-model-changes) dbcontext(list info)) tool(list restore) help msbuild(_) |
  properties/i: ^--(collect|logger):[\w
  ;=-]+$|^[-/]{1,2}p(roperty)?:(Configuration|Platform|Version|WarningLevel|TreatWarningsAsErrors|CollectCoverage|UseAppHost|DebugType|Nullable)=[\w.+-]*$
dotnet: | flagsFirst | flags: --no-build --no-restore --nologo --no-incremental --list-tests --blame --blame-hang --self-contained
  --no-self-contained --verify-no-changes --include-transitive --outdated --vulnerable --deprecated --prerelease --force --no-dependencies
  --no-cache --no-launch-profile --no-hot-reload --disable-build-servers -t -warnaserror | valued: --logger -c --configuration -f
  --framework -r --runtime -v --verbosity --filter --collect --launch-profile --severity --diagnostics --version -n --name -lang --language
  --arch --os --blame-hang-timeout | names: --project --settings -s? | writes: -o --output --results-directory
dotnet:run,dotnet:watch,dotnet:ef | @dotnet: | names+: -p
bundle | verbs: _ install exec check list show info outdated update lock add remove version platform env doctor help config(_ list get)
bundle:add | flags: --skip-install --optimistic --strict --quiet | valued: -v -g -r --version --group --require
composer | flags: -n -q -v -vv --no-interaction --quiet --no-ansi --ansi --profile | valued: -d --working-dir | runs: run run-script |
  tasks: scripts | verbs: install update require remove dump-autoload dumpautoload show info outdated validate check-platform-reqs diagnose
  why depends why-not prohibits licenses audit run-script run status suggests fund search normalize help list about
rake | local several | dry: -n --dry-run | flags: -T -P -A --tasks --prereqs | tasks: any | verbs: _
rails | local several | flags: -T --tasks | verbs: test t server s routes generate g stats about notes spec db:migrate db:migrate:status db:migrate:up
  db:migrate:down db:seed db:create db:prepare db:version db:rollback db:schema:dump db:structure:dump db:test:prepare zeitwerk:check
  assets:precompile assets:clean log:clear tmp:clear middleware initializers test:* time:zones:all restart dev:cache help
artisan | local | verbs: test route:list migrate migrate:status migrate:rollback make:* db:seed db:show db:table config:clear config:show
  config:cache route:cache view:cache queue:work cache:clear view:clear route:clear event:clear optimize:clear list about serve
  schedule:list event:list event:cache model:show help pint queue:failed ide-helper:* lang:publish package:discover
pip | flags: -q -v --quiet --verbose --disable-pip-version-check --no-input --no-cache-dir --version -V | verbs: install uninstall list show
  freeze check download wheel index(versions) cache(list info dir) inspect debug hash help config(list get)
pip: | flags: -U -q -v -u -o -l -e --upgrade --quiet --verbose --user --pre --no-deps --no-cache-dir --force-reinstall --ignore-installed
  --no-build-isolation --dry-run --outdated --uptodate --local --not-required --files -y --yes --all --disable-pip-version-check --no-input
  --progress-bar --no-warn-script-location --prefer-binary --no-binary-none --no-compile --generate-hashes --system --require-hashes
  --no-clean --exclude-editable | valued: --format --only-binary --no-binary --platform --python-version --implementation --abi
  --upgrade-strategy --retries --timeout --report-none --progress-bar --group --extra --exclude | reads: -r -c --requirement --constraint |
  writes: -d -o -w -t --dest --output-file --target --wheel-dir --report --log
pipx | verbs: list environment
uv | flags: -q -v -n --quiet --verbose --offline --no-progress --no-cache | valued: --directory --project --color | verbs: run sync lock add
  remove tree export pip(install list show freeze check compile sync tree uninstall) venv python(list find pin dir) version init build
  cache(dir) tool(list dir) format help
poetry | flags: -q -v -vv -n --quiet --verbose --no-interaction --no-ansi --ansi | valued: -C -P --directory --project | verbs: install run
  add remove update lock show check build version env(list info) search about sync export help
pipenv | verbs: install run lock sync graph check uninstall update verify requirements
terraform | valued: -chdir | verbs: plan validate fmt init show output providers version graph state(list show) workspace(list show) get
helm | valued: -n --namespace --kube-context | verbs: list ls status history template lint show search dependency,dep(list ls build update)
  version env create package repo(list) help
helm: | flags: -A -a -q --all-namespaces --all --debug --strict --quiet --skip-crds --include-crds --no-hooks --is-upgrade --validate
  --devel --dependency-update --skip-tests --with-subcharts --skip-refresh --versions -l --short | valued: -n -o -s -g --namespace --output
  --set --set-string --set-json --show-only --name-template --version --kube-version --api-versions --kube-context --max --revision
  --app-version -l --selector --filter | reads: -f --values
kubectl | flags: -A --all-namespaces | valued: -n --namespace --context --cluster -o --output -l --selector --v -v --request-timeout |
  verbs: get describe logs top explain api-resources api-versions version cluster-info(_) kustomize diff config(current-context get-contexts get-clusters)
  rollout(status history) wait events auth(can-i whoami) help
kubectl: | flags: -A -w -f -p -R --all-namespaces --watch --show-labels --no-headers --all-containers --client --short --recursive
  --previous --follow --timestamps --prefix --all --show-kind --containers --local --ignore-not-found | valued: -n -o -l -c -L --namespace
  --output --selector --container --tail --since --since-time --sort-by --context --cluster --field-selector --limit-bytes --api-version
  --api-group --for --timeout --revision --chunk-size --label-columns --field-manager --max-log-requests --request-timeout -v | only/i:
  ^(?!secrets?\b|all\b.*,secret)(?!.*[,/]secrets?)[\w./,:=-]+$
gh | local | valued: -R --repo | verbs: pr(list view diff checks status create checkout comment) issue(list view status create comment)
  run(list view watch) workflow(list view) release(list view) repo(view list) label(list) search auth(status) api status cache(list)
  gist(list view) ruleset(list view check) secret(list) variable(list) org(list) project(list view) help
gh: | flags: -c -d -e -f --comments --name-only --patch --draft --log --log-failed --exit-status --required --fill --fill-first
  --fill-verbose --dry-run --latest --exclude-drafts --exclude-pre-releases --detach --recurse-submodules --no-maintainer-edit --editor-none
  --verbose --all --watch --fail-fast --archived --fork --source --yaml | valued: -R --repo -q --jq -t --template --json -L --limit -s
  --state -l --label -A --author -a --assignee -b --branch --body --title -B --base -H --head -r --reviewer -m --milestone -p --project
  --pattern -S --search -w --workflow --event -u --user -j --job --status --color --sort --order --owner --language --interval --created
  --commit --repo-name --visibility --topic --attempt -n --name | reads: -F --body-file | writes: -O --output -D --dir | only: ^(https:\/\/github\.com\/.*|(?!\w+:\/\/|\S+@\S+:)[^/]*(\/[^/]*)?)$
gh:pr create,gh:pr comment,gh:issue create,gh:issue comment | flags: -d -f --draft --dry-run --fill --fill-first --fill-verbose
  --no-maintainer-edit | valued: -R --repo -t --title -b --body -a --assignee -B --base -H --head -l --label -m --milestone -p --project -r --reviewer | reads: -F --body-file
gh:auth status | flags: -a --active
gh:api | flags: --paginate --slurp -i --include | valued: --jq -q --template -t --cache -H --header | only:
  ^\/?(?!graphql)[\w{][\w{}./?=&%+,-]*$
glab | local | valued: -R --repo | verbs: mr(list view diff checkout create note) issue(list view create note) ci,pipeline(list view status
  get lint trace) release(list view) repo(view search) label(list) auth(status) version help
glab: | flags: -f -A -c -M -d --fill --draft --all --closed --merged --yes -y --comments --raw --push-none | valued: -R --repo -t --title -d
  --description -s --source-branch -b --target-branch -l --label -a --assignee -m --milestone -p --page -P --per-page -F --output -B
  --branch --search --author --reviewer --state
glab:auth status |
aws | flags: --no-cli-pager --no-paginate | valued: --profile --region --output --query | verbs: s3(ls) sts(get-caller-identity)
  configure(list list-profiles) logs(tail filter-log-events get-log-events) cloudwatch(get-metric-statistics get-metric-data) s3api(head-*
  list-* get-bucket-location) *(describe-* list-* wait help) help
gcloud | flags: -q --quiet | valued: --project --account --format --region --zone --filter --limit | verbs: config(list get get-value
  configurations(list)) auth(list) projects(list describe)
  compute(instances,disks,zones,regions,networks,firewall-rules,images,machine-types(list describe)) container(clusters,node-pools(list
  describe)) run(services,revisions,jobs(list describe)) functions(list describe logs(read)) builds(list describe log) logging(read)
  iam(roles,service-accounts(list describe)) services(list) artifacts(repositories(list describe)) sql(instances(list describe)) storage(ls
  buckets(list describe)) version info help
gcloud: | flags: -q --quiet --uri | valued: --project --format --region --zone --zones --filter --limit --sort-by --page-size --location
  --cluster --service --platform --image --freshness --order
az | valued: --subscription -o --output --query -g --resource-group | verbs: account(show list)
  group,vm,aks,acr,webapp,functionapp,resource,appservice,network(list show) version help
docker | local | flags: -D --debug | valued: -l --log-level -f --file -p --project-name --profile --project-directory --ansi --progress
  --env-file | verbs: ps images logs build run create exec start stop restart pause unpause kill rm rmi inspect info version top port diff
  history search stats tag events wait rename cp save export pull image(ls inspect history build tag pull rm) container(ls inspect logs run
  exec start stop restart rm top stats port diff cp create) compose(up down ps logs build exec run start stop restart pull images top port
  version ls config kill create events wait cp watch rm stats) volume,network,context(ls inspect) network(create) buildx(build ls inspect
  version du bake) builder(build) system(df info events) scout(quickview cves version) help
docker: | flagsFirst | flags: -i -t -it -d -q -a -A -f -P -s -l -n -T --rm --interactive --tty --detach --quiet --all --no-trunc --follow
  --timestamps --no-cache --pull --force-rm --init --read-only --size --no-stream --build --no-build --no-deps --force-recreate
  --remove-orphans --wait --no-start --no-color --no-log-prefix --services --abort-on-container-exit --always-recreate-deps --load
  --publish-all --latest --no-recreate --always --dry-run --tree --digests --profiles --images | optional: --pull --interactive --tty --rm | valued: -e -p -w -u
  -m -v -h -c -n --env --publish --workdir --user --name --network --net --entrypoint --label --hostname --memory --cpus --platform --target
  --tag --build-arg --progress --format --filter --tail --since --until --scale --restart --stop-timeout --time --signal --shm-size --ulimit
  --tmpfs --expose --add-host --index --timeout --volume --mount --profile --project-name --exit-code-from --wait-timeout --health-cmd
  --detach-keys --pull --policy --cache-from --link --network-alias | names: --project-directory -f | reads: --env-file --label-file --file
  | writes: --iidfile --cidfile --metadata-file | fills: -o --output
nix | flags: -L -v -q --verbose --quiet --print-build-logs --offline --no-warn-dirty | valued: --extra-experimental-features --experimental-features |
  runs: run | verbs: build develop shell run eval fmt log path-info flake(check show metadata info update lock init new) search why-depends repl
  hash(path file) store(ls cat diff-closures verify ping info path-info gc optimise) derivation(show) show-derivation print-dev-env help registry(list) profile(list)
  config(show) bundle
turbo | local several | runs: run | tasks: scripts | verbs: _ run ls query
nx | local | runs: run run-many affected | tasks: scripts | verbs: run run-many affected graph show list report format:check format:write format test
  build lint serve e2e typecheck help
lerna | local | runs: run | verbs: run list ls la ll changed diff info
make | local several | dry: -n --dry-run --just-print | flags: -n -s -k -B -i -w -r -R -q -p --no-print-directory --dry-run --silent --quiet
  --keep-going --always-make | valued: -j -C -f -l -W --directory --file --makefile | tasks: any | verbs: _
just | local several flagsFirst | dry: -n --dry-run | flags: -l -n --list --summary --dry-run --evaluate --dump --unsorted | valued: -s --show | tasks: any | verbs: _
bazel | local | verbs: build test run query cquery aquery info version coverage fetch help
bazel: | flags: -k -s --keep_going --verbose_failures --nobuild --subcommands --build_tests_only --nocache_test_results --noshow_progress
  --curses=no | valued: -c -j --compilation_mode --config --test_output --test_filter --jobs --runs_per_test --test_arg --output
  --flaky_test_attempts --test_timeout --color | only: ^(?!.*(deploy|publish|release|push))
gem | verbs: build list search info environment env outdated specification which check help dependency
brew | verbs: list ls info search outdated deps uses leaves config doctor help
prisma | flags: -v | verbs: generate validate format version migrate(dev status diff) db(pull push seed)
drizzle-kit | verbs: generate check introspect pull migrate up
sequelize | verbs: db:migrate db:migrate:status db:seed db:seed:all migration:generate model:generate seed:generate
knex | verbs: init migrate:make migrate:list migrate:status migrate:latest migrate:up migrate:currentVersion seed:make seed:run
changeset | verbs: _ add status
ng,storybook,astro,nuxt,nuxi,next | local | verbs: _ dev build test lint serve start e2e generate g check preview sync info prepare typecheck typegen version help
npm-run-all | local several | flags: -p -s -l -n -c --parallel --serial --sequential --print-label --continue-on-error --silent | tasks: any | verbs: _
pre-commit | verbs: run validate-config validate-manifest sample-config help
wrangler | verbs: dev types whoami d1(list info) kv(list) r2(list)
vercel | verbs: ls inspect whoami dev build
netlify | verbs: dev build status
firebase | verbs: emulators:start serve projects:list
supabase | verbs: status start stop gen(types) db(diff lint) migration(list new)
pulumi | valued: -C --cwd -s --stack | verbs: preview about whoami version stack(ls)
cdk | valued: -c -a -o --context --app --output --profile | verbs: ls list synth synthesize diff docs doctor notices version help
twine | verbs: check
semantic-release,np,ngrok,localtunnel | verbs: -
`);

export const verbTables: Readonly<Record<string, VerbTable>> = Object.fromEntries(
  Object.entries(rows)
    .filter(([name]) => !name.includes(":"))
    .map(([name, row]) => [name, { ...row, behind: behindOf(name) }]),
);

function behindOf(name: string): NonNullable<VerbTable["behind"]> {
  const own = Object.entries(rows).filter(([each]) => each.startsWith(`${name}:`));
  return Object.fromEntries(own.map(([each, row]) => [each.slice(name.length + 1), row]));
}

/** Common names of scripts. A package manager runs the project's script if none of its own verbs has that name. */
export const scripts = wordSet(`db type build test lint dev start serve preview format fmt check typecheck type-check types tsc compile
  watch clean coverage e2e unit storybook generate codegen ci verify validate fix prepare bench docs`);

/** Other names of these programs. */
export const ALIASES =
  namePairs(`gradlew=gradle mvnw=mvn mvnd=mvn mvnDebug=mvn podman=docker docker-compose=docker podman-compose=docker pip3=pip gmake=make nerdctl=docker oc=kubectl kubecolor=kubectl
  k=kubectl microk8s.kubectl=kubectl sequelize-cli=sequelize tofu=terraform terragrunt=terraform @changesets/cli=changeset @angular/cli=ng
  @playwright/test=playwright`);

/** Packages whose program is covered by a grant such as `npx *`. They test, check, format, build and generate. */
export const coveredPackages = wordSet(`cmake ctest ninja meson xcodebuild swift ncu vitest jest mocha ava tap c8 nyc playwright
  @playwright/test cypress tsc typescript tsx ts-node tsup eslint prettier @biomejs/biome biome oxlint oxfmt stylelint xo standard turbo nx
  next nuxt nuxi cdk vite astro svelte-check svelte-kit vue-tsc webpack rollup esbuild parcel swc @swc/cli babel rimraf knip depcheck madge dprint
  cspell expo commitlint lint-staged size-limit publint @arethetypeswrong/cli attw typedoc jscpd markdownlint markdownlint-cli markdownlint-cli2
  prisma drizzle-kit sequelize sequelize-cli knex expo-doctor storybook tailwindcss @tailwindcss/cli postcss sass nodemon concurrently wait-on npm-run-all
  npm-check-updates sort-package-json openapi-typescript graphql-codegen tsd ts-prune tsc-alias changeset @changesets/cli serve http-server
  json-server repomix replace-in-file js-beautify copyfiles lerna cpy-cli shx cross-env dotenv env-cmd node ts-node-dev ng @angular/cli
  react-scripts remix husky del-cli lighthouse license-checker syncpack manypkg vue-cli-service electron-builder karma stryker
  @stryker-mutator/core msw workbox pa11y linkinator html-validate tsc-watch eslint_d solhint @nestjs/cli black ruff mypy pytest pyright
  isort clang-format flake8 pylint pre-commit tox nox bandit pyupgrade vulture codespell djlint coverage sphinx-build mkdocs yamllint basedpyright ty phpunit pest`);
