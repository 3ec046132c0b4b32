import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import type { Effect } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import type { Folder } from "../../../test/support/folder.ts";
import { effectOf, repository, rule } from "../../../test/support/limited-repository.ts";

/** Returns the calls with such an effect under a deny of their pattern. */
const callsWith = (folder: Folder, calls: Readonly<Record<string, readonly string[]>>, isSuch: (effect: Effect) => boolean) =>
  Object.entries(calls).flatMap(([pattern, texts]) =>
    texts.filter((text) => isSuch(effectOf(folder, text, rule("command", pattern, "deny")))).map((text) => [pattern, text]),
  );

test("a deny of a flag holds for its other spellings in git commit", async () => {
  using folder = await repository();
  const texts = [
    "git commit --no-verify -m x",
    "git commit -n -m x",
    "git commit -anm x",
    "git commit --no-veri -m x",
    "git commit -m now",
  ];
  const effects = texts.map((text) => effectOf(folder, text, rule("command", "git commit*--no-verify*", "deny")));
  expect(effects).toEqual(["deny", "deny", "deny", "deny", "allow"]);
});

test("a deny of files of a program holds for links to them and for lists of git", async () => {
  using folder = await repository();
  for (const file of ["tests/e2e/a_test.py", "tests/unit/b_test.py"]) await folder.write(file, "x");
  await symlink("tests/e2e", folder.at("suite"));
  execFileSync("git", ["add", "tests"], { cwd: folder.path });
  const calls = [
    "pytest suite",
    "pytest ./suite/a_test.py -k a",
    "git ls-files tests | grep e2e | xargs pytest",
    "cd tests && pytest ../suite",
  ];
  const others = ["pytest tests/unit", "git diff --name-only | xargs pytest", "git ls-files tests/unit | xargs pytest"];
  expect(callsWith(folder, { "pytest tests/e2e*": calls }, (effect) => effect === "allow")).toEqual([]);
  expect(callsWith(folder, { "pytest tests/e2e*": others }, (effect) => effect !== "allow")).toEqual([]);
});

test("a deny of a script holds for a copy of it, however the call names the script", async () => {
  using folder = await repository();
  await folder.write("scripts/release.sh", "#!/bin/sh\necho x\n");
  const texts = [
    "cp scripts/release.sh r; sh r",
    "cp scripts//release.sh r; sh r",
    "cp docs/../scripts/release.sh r && ./r",
    'cp "$PWD"/scripts/release.sh r; bash r',
    "cd scripts && mv release.sh r.sh && ./r.sh",
    "install scripts/release.sh r; sh r",
    "bash scripts/r*",
    "for s in scripts/r*; do bash $s; done",
    "uv run ./scripts/release.sh",
    "bundle exec scripts/release.sh",
  ];
  const effects = texts.map((text) => [text, effectOf(folder, text, rule("command", "./scripts/release.sh*", "deny"))]);
  expect(effects).toEqual(texts.map((text) => [text, "deny"]));
});

test("a deny that names a flag behind the verb holds wherever the flag is", async () => {
  using folder = await repository();
  const denied: Record<string, string[]> = {
    "git commit --amend*": ["git commit -m x --amend", "git commit -am x --no-edit --ame", "git -C . commit -m x --amend --no-edit"],
    "npm install -g*": ["npm install x -g", "npm i --global x", "npm i -D x -g"],
    "docker run --privileged*": ["docker run -it --privileged x"],
    "cargo test --ignored*": ["cargo test -- --ignored", "cargo test -p core -- --nocapture --ignored", "cargo nextest run -- --ignored"],
    "npm run build --prod*": ["npm run build -- --prod", "npm run build -- --watch --prod"],
    "pnpm test -u*": ["pnpm test -- -u", "pnpm test x -u"],
    "cargo build --release*": ["cargo build -p x --release", "cargo build -qr"],
    "prettier --write*": ["npx prettier . --write", "npx prettier -w ."],
  };
  for (const [pattern, texts] of Object.entries(denied))
    for (const text of texts) expect([text, effectOf(folder, text, rule("command", pattern, "deny"))]).toEqual([text, "deny"]);
  const others = ["git commit -m 'see --amend'", "git commit -m x -- --amend", "git commit --allow-empty -m x"];
  for (const text of others)
    expect([text, effectOf(folder, text, rule("command", "git commit --amend*", "deny"))]).toEqual([text, "allow"]);
});

test("a deny that names an operand, a value, a package or a script holds for every call that amounts to it", async () => {
  using folder = await repository();
  const files =
    "services/api/tests/e2e/a.py scripts/report.py tools/gen.js tests/e2e/a.py cmd/migrate/main.go gradlew manage.py scripts/ship.sh";
  for (const file of files.split(" ")) await folder.write(file, "x");
  const manifest = { scripts: { build: "tsc && vite build", e2e: "playwright test", lint: "eslint ." } };
  for (const file of ["package.json", "web/package.json"]) await folder.write(file, JSON.stringify(manifest));
  await folder.write("scripts/run.sh", "#!/bin/bash\n");
  execFileSync("git", ["symbolic-ref", "HEAD", "refs/heads/main"], { cwd: folder.path });
  const denied: Record<string, string[]> = {
    "git push origin main*":
      `git push -u origin main; git push -o ci.skip origin x main; git -C . push -q origin HEAD:main; git push origin +heads/main;
      git push; git push origin; git push -q origin HEAD; git push origin @; git push --all origin; git push origin 'refs/heads/*';
      git push origin "$BRANCH"; git push origin m$(echo ain); git -c push.default=current push`.split(/;\s+/),
    "npm install lodash*": ["npm i -D lodash", "npm add react lodash", "npm install -- lodash"],
    "pip install requests*": ["pip install -U requests", "python3 -m pip install flask requests"],
    "docker compose restart db*": ["docker compose restart -t 1 db", "docker-compose -f x.yml restart web db"],
    "git checkout main*": ["git checkout -q main", "git switch main"],
    "pytest tests/e2e*": `pytest -x tests/unit tests/e2e; py.test ./tests/e2e/a.py; cd tests && pytest e2e; uv run pytest -k a tests/e2e;
      pytest "$PWD/tests/e2e"; pytest tests/e*; find tests/e2e -name '*.py' -exec pytest {} +; pytest tests/../tests/e2e`.split(/;\s+/),
    "vite build --mode prod*": [
      "vite --mode=production build",
      "npx vite build -m prod",
      "npm run build -- --mode=prod",
      "cd web && pnpm build --mode prod",
    ],
    "go run ./cmd/migrate*": ["go run -race ./cmd/migrate", "go run cmd/migrate/main.go", "cd cmd && go run ./migrate"],
    "cargo run -p tool*": ["cargo run --package=tool", "cargo r -q -ptool"],
    "pytest services/api/tests/e2e*": [
      "cd services/api && uv run pytest tests/e2e",
      "uv run --directory services/api pytest tests/e2e",
      "cd services/api && coverage run -m pytest -q tests/e2e",
      "python -m pytest services/api/tests/e[2]e",
    ],
    "git push origin other*": ["git switch other && git push", "git checkout -q other; git merge x; git push origin HEAD"],
    "npx prisma*": ["npm exec -- prisma generate", "pnpm dlx prisma@5 x", "yarn prisma x", "bunx prisma x", "./node_modules/.bin/prisma x"],
    "npx playwright test*": ["pnpm exec playwright test", "npx --yes @playwright/test test", "node node_modules/playwright/cli.js test"],
    "python scripts/report.py*": [
      "python3 -m scripts.report",
      "uv run scripts/report.py",
      "coverage run scripts/report.py",
      "cd scripts && python -m report",
    ],
    "node tools/gen.js*": ["node --import x tools/gen", "tsx tools/gen.js", "bun run ./tools/gen.js"],
    "bash scripts/ship.sh*": [". scripts/ship.sh", "latexmk -pdflatex='scripts/ship.sh %O' x.tex"],
    "python manage.py loaddata*": ["./manage.py loaddata x", "django-admin loaddata x", "python -m django loaddata x"],
    "npm run e2e*": [
      "yarn e2e",
      "pnpm -r e2e",
      "bun run e2e",
      "npx npm-run-all lint e2e",
      "nr e2e",
      "deno task e2e",
      "npx turbo run lint e2e",
      "npm rum e2e",
    ],
    "./gradlew bootRun*": ["gradle -q bootRun", "./gradlew bR", "./gradlew clean :app:bootR", "sh gradlew app:bootRun"],
    "php bin/console doctrine:migrations:migrate*": ["bin/console -n d:m:m", "php bin/console doctrine:mig:mig"],
    "rails generate*": ["bin/rails g model x", "bundle exec rails g model x"],
    "npm ci*": ["npm clean-install", "npm ic"],
    "bundle install*": ["bundle", "bundle --jobs 4"],
    "dotnet ef database update*": ["dotnet-ef database update"],
    "mvn package -Pprod*": ["mvn -P dev,prod package", "mvn package --activate-profiles=prod", "mvn -q package -P +prod"],
    "cargo run --bin migrate*": ["cargo run -q --bin=migrate", "cargo build && target/debug/migrate"],
    "playwright test --update-snapshots*": ["npx playwright test -xu", "npm run e2e -- --update-snapshots"],
    "./gradlew build -x test*": ["./gradlew clean build -x test", "./gradlew build --exclude-task test"],
    "pytest -k slow*": ["pytest -q -k slow", "pytest tests -k slow"],
    "psql prod*": ["psql --dbname=prod", "psql -dprod", "psql -d prod"],
    "docker compose -f prod.yml *": ["docker compose -f ./prod.yml up", "docker compose --file=prod.yml up"],
    "go test -run Slow*": ["go test -run=Slow ./...", "go test --run Slow ./..."],
    "curl -X DELETE *": [
      "curl -sXDELETE http://localhost",
      "curl -vX DELETE http://localhost",
      "curl -s --request=DELETE http://localhost",
    ],
    "rails db:seed*": ["rails db:migrate db:seed", "bundle exec rails db:create db:seed"],
    "dotnet build -c Release*": ["dotnet build --configuration=Release", "dotnet build x.sln -c Release"],
    "yarn add lodash*": ["yarnpkg add -D lodash", "node .yarn/releases/yarn-4.1.0.cjs add lodash"],
    "bash *": ["./scripts/run.sh"],
    "./scripts/run.sh*": [
      "ln -s ../scripts tools/s && tools/s/run.sh",
      "mix cmd scripts/run.sh",
      "fastlane run sh command:./scripts/run.sh",
    ],
    "mvn install*": ["mvnDebug -q install", "./mvnw clean install"],
  };
  expect(callsWith(folder, denied, (effect) => effect === "allow")).toEqual([]);
  const others: Record<string, string[]> = {
    "turbo run e2e*": ["npx turbo run test --filter=e2e", "turbo run build -F e2e", "turbo run test -- --testNamePattern=e2e"],
    "npx prisma migrate*": ["pnpm test -- -t 'npx prisma migrate'", "npm run test:unit -- --grep 'npx prisma migrate'"],
    "pytest services/api/tests/e2e*": ["uv run --directory services/api pytest --ignore=tests/e2e tests/unit"],
    "git push origin main*": [
      "git push origin feature",
      "git commit -m 'push origin main'",
      "git stash push main.ts",
      "git pull origin main",
    ],
    "git commit --amend*": ["git commit -m --amend", "git commit -m 'see --amend'"],
    "cargo run --bin migrate*": ["cargo run --bin report -- --bin migrate", "cargo run -p migrate --bin report"],
    "./gradlew bootRun*": ["./gradlew build -x bootRun", "./gradlew test"],
    "go run ./cmd/migrate*": ["go run ./cmd/api ./cmd/migrate", "go build ./cmd/migrate"],
    "php bin/console doctrine:migrations:migrate*": ["php bin/console list doctrine", "bin/console help doctrine:migrations:migrate"],
    "npx prisma*": ["npm run prisma-docs", "npx prettier prisma", "git add prisma"],
    "npm run e2e*": ["npm run lint", "npm test -- e2e", "npx vitest run e2e"],
    "python scripts/report.py*": ["git add scripts/report.py", "ruff check scripts/report.py", "cat scripts/report.py"],
    "git commit --no-verify*": ['git commit -m"add new thing"', 'git commit -am"new"'],
    "npm install*": ["npm ci", "npm run build"],
    "gh pr merge*": ['gh pr create --title "merge x"', "gh pr create --base main --head merge"],
    "npx prisma migrate reset*": ["npx prisma migrate dev --name reset-password"],
    "git checkout main*": ["git checkout -b main-fix"],
    "pytest tests/unit*": ["pytest --ignore tests/unit", "pytest --ignore=tests/unit tests/e2e"],
    "cargo test -p integration*": ["cargo test -p core integration"],
    "mvn -T*": ["mvn -DskipTests package"],
    "git push origin x*": ["git push --tags"],
    "alembic downgrade*": ['uv run alembic revision -m "downgrade safety"'],
    "./scripts/ship.sh*": ["bash -n scripts/ship.sh", "shellcheck scripts/ship.sh"],
    "python -m scripts.report*": ["python3 -m py_compile scripts/report.py"],
    "npm install --save-dev*": ["npm install --save x"],
    "pytest tests/e2e*": ["pytest tests/unit", "pytest -k e2e tests/unit"],
    "vite build --mode prod*": ["vite build", "vite --mode dev build"],
  };
  expect(callsWith(folder, others, (effect) => effect !== "allow")).toEqual([]);
});

test("a deny of a program holds for the others that are this program, or that start it", async () => {
  using folder = await repository();
  await folder.write("package.json", JSON.stringify({ scripts: { test: "jest", lint: "eslint src" } }));
  await folder.write("pyproject.toml", '[project.scripts]\nshop-seed = "app.seed:main"\n');
  await folder.write("xtask/Cargo.toml", "[package]\n");
  const calls = {
    "go test*": ["gotip test ./internal/...", "gotest -v ./internal/store", "gocov test ./...", "gow -c test ./..."],
    "git reset --hard*": ["gita super shop reset --hard"],
    "docker compose down*": ["python3 -m compose down"],
    "terraform apply*": ['docker run --rm -v "$PWD/infra":/w -w /w hashicorp/terraform:1.8 apply -auto-approve'],
    "jest e2e*": ["jest --testPathPattern='(e2e|unit)'", "npm t -- e2e", "npm tst -- --coverage e2e"],
    "ansible-playbook -l prod*": [
      "python3 -m ansible.cli.playbook -l prod deploy/site.yml",
      "ansible-navigator run deploy/site.yml -m stdout --limit prod",
      "ansible-runner run . -p site.yml --limit prod",
    ],
    "python -m app.seed*": ["uv run shop-seed"],
    "cargo test*": [
      "cargo miri test",
      "cross test --target aarch64-unknown-linux-gnu",
      "cargo-careful careful test",
      "cargo tarpaulin --command test",
      "cargo nextest run",
    ],
    "pip install*": ["python -m pip._internal install flask"],
    "psql *": ["heroku pg:psql"],
    "ssh *": [
      "rsync src/app.ts host:",
      "scp src/app.ts host:/tmp",
      "sftp host",
      "autossh -M0 host",
      "mosh host",
      "pssh -h deploy/hosts.ini uptime",
      "clush -w a,b uptime",
      "sshfs host:/srv /tmp/m",
      "rsh host uptime",
    ],
    "composer require*": [
      "./composer.phar require monolog/monolog",
      'docker run --rm -v "$PWD":/app composer:2 require monolog/monolog',
      "frankenphp php-cli composer.phar require monolog/monolog",
      "composer2 require monolog/monolog",
    ],
    "aws s3 rm*": [
      "aws2 s3 rm s3://b/k",
      "aws.cmd s3 rm s3://b/k",
      "awslocal s3 rm s3://b/k",
      "docker run --rm public.ecr.aws/aws-cli/aws-cli:latest s3 rm s3://b/k",
    ],
    "helm uninstall*": ["helm3 un shop", "microk8s.helm un shop", "nix run nixpkgs#kubernetes-helm -- uninstall shop"],
    "poetry add*": ["python3 -m poetry.console.application add flask"],
    "apt-get *": ["apt-fast install jq", "apt-get.distrib update"],
    "sed -i*": ["ssed -i s/a/b/ src/app.ts"],
    "php artisan migrate*": ["./vendor/bin/sail art migrate"],
    "flutter build*": ["fvm spawn 3.22.0 build apk", "flutter.bat build apk"],
    "xcodebuild archive*": ["fastlane run gym scheme:Shop", "bundle exec fastlane run build_app scheme:Shop", "fastlane gym --scheme Shop"],
    "swift package *": ["swift-package resolve", "xcrun swift-package update"],
    "cabal upload*": ["nix run nixpkgs#cabal-install -- upload x.tar.gz"],
    "deno run*": ["deno main.ts", "denon run main.ts", "denon main.ts"],
    "go generate*": ["gotip generate ./...", "gow -v generate ./..."],
    "go run ./cmd/shop*": ["go run -modfile=go.mod ./cmd/...", "gotip run ./cmd/shop", "gow run ./cmd/shop", "wgo run ./cmd/shop"],
    "cargo add*": ["cross add serde"],
    "cargo run -p xtask*": [
      "cargo r --manifest-path xtask/Cargo.toml",
      "cd xtask && cargo run",
      'cargo run -p "path+file://$PWD/xtask#0.1.0"',
    ],
    "nx e2e*": ["nx run web:e2e:ci"],
    "python manage.py migrate*": ["DJANGO_SETTINGS_MODULE=shop.settings django-admin.py migrate"],
    "eslint --fix*": ["eslint_d --fix src", "npx eslint_d src --fix", "lerna run lint -- --fix"],
    "npm ci*": ["nci"],
    "RAILS_ENV=production *": [
      "export RAILS_ENV=prod; RAILS_ENV+=uction; rake docs",
      "read -r RAILS_ENV <<< production; export RAILS_ENV; rake docs",
      "for RAILS_ENV in production; do export RAILS_ENV; rake docs; done",
    ],
    "git rebase*": ["git pull --rebase", "git pull -r origin main", "git pull --rebase=merges origin main", "git -c pull.rebase=true pull"],
    "npm install lodash*": ["yarn add lodash", "pnpm i lodash", "pnpm --filter web add lodash", "bun add -D lodash"],
    "python manage.py loaddata*": [
      `echo "from django.core.management import call_command; call_command('loaddata', 'x')" | python manage.py shell`,
    ],
    "bin/rails db:seed*": ["rake db:seed", "bundle exec rake db:seed", "cd sub && bin/rake db:seed"],
    "python -m app.report*": ["coverage run --module app.report", "coverage run -m app.report"],
    "APP_ENV=production *": [
      "env 'APP_ENV'=production rails test",
      'env "APP_"ENV=production rails test',
      "N=APP_ENV; env $N=production rails test",
      "APP_ENV=p\\roduction rails test",
      "f() { rails test; }; APP_ENV=\\production f",
      "export APP_ENV; read -r<<<production APP_ENV; rails test",
      "export APP_ENV; read -r \\\nAPP_ENV <<< production; rails test",
      "export APP_ENV; for APP_ENV\nin production; do rails test; done",
    ],
    "npm run e2e*": ["npm-run-all 'e*'", "npx npm-run-all lint 'e2*'", "run-s e2e", "turbo run 'e*'"],
    "cargo test -p x-core*": ["cargo test -p 'x*'"],
  };
  expect(callsWith(folder, calls, (effect) => effect === "allow")).toEqual([]);
  const others = {
    "go test*": ["gotip build ./...", "gow -c vet ./..."],
    "ssh *": ["rsync -a src/ /tmp/copy", "ssh-keygen -l -f id.pub"],
    "cargo test*": ["cargo build", "cross build"],
    "go run ./cmd/shop*": ["go run ./cmd/other", "go vet ./..."],
    "npm run e2e*": ["npm-run-all lint 'unit*'", "npm run lint -- 'e*'"],
    "git rebase*": ["git pull", "git pull --rebase=false", "git pull --no-rebase origin main"],
    "npm install*": ["pnpm install", "yarn add lodash"],
    "yarn add*": ["yarn install", "yarn"],
    "APP_ENV=production *": ["rails test", "APP_ENV=test rails test", "echo APP_ENV; rails test"],
    "RAILS_ENV=production *": ["for x in production; do echo $x; done", "rake docs"],
    "eslint --fix*": ["npm run lint", "eslint_d src"],
    "seed *": ["./scripts/seed.sh 5"],
  };
  expect(callsWith(folder, others, (effect) => effect !== "allow")).toEqual([]);
});

test("a deny that names a task holds wherever the task is in the call", async () => {
  using folder = await repository();
  for (const [name, text] of [
    ["gradlew", "exit"],
    ["scripts/r.py", "x"],
    ["scripts/s.sh", "#!/bin/bash"],
    ["package.json", '{ "scripts": { "seed": "x", "build": "x" } }'],
  ] as const)
    await folder.write(name, text);
  const denied: Record<string, string[]> = {
    "make seed*": [
      "make build -- seed",
      "make ./seed",
      "make .DEFAULT_GOAL=seed",
      "bmake build seed",
      "make build seed",
      "make -j4 X=1 build seed",
      "gmake -C . seed",
      "cd src && make -C .. -s build seed",
    ],
    "./gradlew seed*": ["./gradlew clean seed", "sh gradlew -q clean seed", "./gradlew clean :app:seed", "cd src && ../gradlew clean seed"],
    "gradle seed*": ["./gradlew clean seed", "gradle -q seed"],
    "mix seed*": ["mix do build + seed", "mix do build, seed --force", "MIX_ENV=test mix do seed, build"],
    "tox -e seed*": ["tox -e py,seed"],
    "npm run seed*": ["npm run -s seed", "npm run --silent seed -- x"],
    "pnpm run seed*": ["pnpm seed", "pnpm -r seed"],
    "yarn seed*": ["yarn run seed", "yarn run -s seed"],
    "turbo run seed*": ["turbo build seed", "npx turbo run build seed"],
    "just seed*": ["just build seed"],
    "npm test*": ["npm run test", "npm run -s test"],
    "python3 scripts/r.py*": ["python scripts/r.py x", "python3.11 ./scripts/r.py", "cd scripts && python r.py"],
    "bash scripts/s.sh*": ["sh scripts/s.sh", "./scripts/s.sh", "dash ./scripts/s.sh x"],
    "nix flake update*": ["nix --extra-experimental-features 'nix-command flakes' flake update", "nix --option a b flake update"],
    "adb reboot*": ["adb -s X reboot"],
    "fastlane beta*": ["fastlane --verbose beta", "fastlane ios beta"],
    "pio run -t seed*": ["pio run -e nucleo -t seed"],
    "curl -X DELETE*": [
      "curl http://localhost/x -X DELETE",
      "curl -XDELETE http://localhost/x",
      "curl -s --request=DELETE http://localhost/x",
    ],
    "git fetch --prune*": ["git fetch origin --pru"],
    "make seed1*": ["make seed$?", "make seed$((1))", "n=$(grep -c x package.json); make seed$n"],
    "git commit --no-verify*": ["git commit -onm x package.json"],
    "go run ./lib*": ["cd lib && go build -o x . && ./x"],
    "make load*": ["colormake load"],
    "make bench*": ["make '.DEFAULT_GOAL+=bench'", "make '.DEFAULT_GOAL =bench'"],
    "cmake --build build --target flash*": [
      "cmake --build build --target all flash",
      "cmake --build build --target 'all;flash'",
      "cmake --build build -- flash",
    ],
    "npx prisma migrate*": ["yarn workspace api prisma migrate dev", "yarn workspaces foreach -A --include x exec prisma migrate dev"],
    "go test -race*": ["GOFLAGS=-race go test ./..."],
    "tox -e py312*": ["TOX_ENV=py312 tox", "tox -f py312"],
    "nox -s e2e*": ["nox -e e2e"],
    "hatch run e2e*": ["hatch run test:e2e"],
    "pytest e2e*": ["hatch run test:pytest e2e", "hatch test e2e"],
    "cargo run*": ["cargo llvm-cov run", "cargo miri run"],
    "cargo test*": ["cargo nextest run --release", "cargo llvm-cov --release"],
    "cargo run --bin load*": ["bacon run -- --bin load"],
    "rake db:seed*": ["rails db:seed", "bundle exec rails db:seed"],
    "pip install requests*": ["pip install Requests", "uv pip install requests"],
    "poetry add my-lib*": ["poetry add My_Lib"],
    "npm run e2e*": ["turbo run web#e2e", "turbo run //#e2e"],
    "just load*": ["just docs/load"],
    "docker compose up*": ["podman-compose up"],
    "RAILS_ENV=production *": [
      'git commit -m "$(RAILS_ENV=production rails s)"',
      "env {RAILS,RACK}_ENV=production rails s",
      "env RAILS_ENV={x,production} rails s",
      'e=ENV; env RAILS_"$e"=production rails s',
      "e='RAILS_ENV=production rails s'; sh -c \"$e\"",
      "echo ' -m \"'; RAILS_ENV=production rails s; echo '\"'",
    ],
    "invoke seed*": ["inv build seed"],
  };
  for (const [pattern, texts] of Object.entries(denied))
    for (const text of texts) expect([text, effectOf(folder, text, rule("command", pattern, "deny"))]).not.toEqual([text, "allow"]);
  const others = ["npm run build -- seed", "npm test -- seed", "npm run -s build -- seed"];
  for (const text of others) expect([text, effectOf(folder, text, rule("command", "npm run seed*", "deny"))]).toEqual([text, "allow"]);
  const near = {
    "npm install*": ["npm run install:all"],
    "make seed1*": ["make seed2", "make lint1"],
    "npx prisma migrate*": ["npx prisma -v", "npx prisma generate"],
    "cargo run*": ["cargo nextest run", "cargo llvm-cov --html"],
    "cmake --build build --target flash*": ["cmake --build build --target all --parallel 4", "cmake --build build -- -j4"],
    "RAILS_ENV=production *": ["RAILS_ENV=test rails s && git commit -qm 'not RAILS_ENV=production'", "rails s"],
    "go test -race*": ["GOFLAGS=-count=1 go test ./..."],
  };
  expect(callsWith(folder, near, (effect) => effect !== "allow")).toEqual([]);
});

test("a deny holds for what a call starts: an alias of a task, listed files, a program that the text builds, a module of a folder", async () => {
  using folder = await repository();
  for (const file of "cmd/backfill/main.go tests/smoke/test_a.py tests/unit/test_b.py tools/seed.py src/bin/seed.rs tools/clinic.ipynb".split(
    " ",
  ))
    await folder.write(file, "x");
  await folder.write(
    "justfile",
    "alias dd := deploy-db\nalias t := test\ndeploy-db:\n    x\ncheck *args:\n    @pytest -q {{args}}\ntest:\n    x\n",
  );
  const tasks =
    "  db:reset:\n    aliases: [dbr, dbx]\n    cmds: [x]\n  lint:\n    aliases:\n      - l\n    cmds: [x]\n  fmt:\n    cmds: [x]\n";
  await folder.write("Taskfile.yml", `version: "3"\ntasks:\n${tasks}`);
  await folder.write(".cargo/config.toml", '[alias]\nsd = "run -q --bin seed"\n');
  await folder.write("noxfile.py", 'def tests(session):\n    session.run("pytest", "-q", *session.posargs)\n');
  await folder.write("tools/with-env.sh", 'exec "$@"\n');
  await folder.write("tox.ini", "[testenv]\ncommands = pytest {posargs:tests}\n");
  await folder.write("web/package.json", '{ "name": "web", "scripts": { "build": "vite build" } }');
  const denied: Record<string, string[]> = {
    "go run ./cmd/backfill*": [
      "go build -o /tmp/x ./cmd/backfill && /tmp/x",
      "cd cmd && go build -o ../bf ./backfill; cd ..; ./bf --all",
      "dlv debug ./cmd/backfill -- --all",
    ],
    "cargo run --bin seed*": ["rustc src/bin/seed.rs -o /tmp/s && /tmp/s", "cargo sd", "cargo -q sd x"],
    "just deploy-db*": ["just dd", "just t dd"],
    "task db:reset*": ["task dbr", "task fmt dbx", "go-task dbr"],
    "task lint*": ["task l"],
    "pytest tests/smoke*": [
      "find tests -name '*_a.py' | xargs pytest",
      "find tests -name 'test_a*' -exec pytest {} +",
      "ptw tests/smoke",
      "python -m pytest_watch tests/smoke",
    ],
    "vite build --mode prod*": [
      "cd web && npx npm-run-all 'build -- --mode prod'",
      "npm -w web run build -- --mode prod",
      "npm run build -w web -- --mode=prod",
    ],
    "python tools/seed.py*": ["PYTHONPATH=tools python3 -m seed", "PYTHONPATH=src:tools python -m seed --all"],
    "alembic downgrade*": ["python -m alembic.config downgrade -1"],
    "tsc --build*": ["npx tsc -b"],
    "npm install --force*": ["npm install -f"],
    "npm test --workspace web*": ["npm test -w web"],
    "cargo test --features net*": ["cargo test -F net"],
    "git clone --branch x*": ["git clone -b x https://github.com/a/b"],
    "pytest --exitfirst*": ["pytest -x"],
    "mvn test --file java*": ["mvn test -f java/pom.xml"],
    "terraform plan*": ["tofu plan"],
    "docker compose down*": ["podman compose down"],
    "kubectl apply*": ["k apply -f a.yaml", "oc apply -f a.yaml"],
    "go test -tags integration*": ["gotestsum -- -tags integration ./...", "richgo test -tags=integration ./..."],
    "make nightly*": ["remake nightly", "remake -C . nightly"],
    "php bin/console x:load*": ["symfony console x:load"],
    "Rscript tools/purge.R*": [
      "R -f tools/purge.R",
      "R --vanilla --file=tools/purge.R",
      "R CMD BATCH --no-save tools/purge.R x",
      "r tools/purge.R",
    ],
    "jupyter nbconvert --execute*": [
      "jupyter-nbconvert --to html --execute a.ipynb",
      "python -m nbconvert --execute a.ipynb",
      "python -m jupyter_core.command nbconvert a.ipynb --execute",
    ],
    "cmake --install*": ["cmake3 --install build"],
    "papermill tools/clinic.ipynb*": ["cp tools/clinic.ipynb /tmp/c.ipynb && papermill /tmp/c.ipynb /tmp/o.ipynb"],
    "cargo build --release*": ["cargo build --profile release", "for p in dev release; do cargo build --profile=$p; done"],
    "python -m tools.seed*": [
      "python3 -m py_compile tools/seed.py; python3 tools/__pycache__/seed.cpython-312.pyc",
      "python3 tools/__pycache__/seed*.pyc",
      "mv tools/seed.py tools/s2.py; python3 -m tools.s2",
      "cp tools/seed.py x.py && python x.py",
    ],
    "pytest tests/e2e*": [
      "nox -s tests -- tests/e2e",
      "bash tools/with-env.sh pytest tests/e2e",
      "tox -e py -- tests/e2e",
      "cd tests/e2e && pytest -q",
      "just check tests/e2e",
      "just check -x tests/e2e",
    ],
    "helm dependency update*": ["helm dep update ./charts/a", "helm dep up charts/a"],
    "pre-commit run --all-files*": ["pre-commit run -av", "pre-commit run lint -a", "python3 -m pre_commit run --all-file"],
    "dbt run --target prod*": ["dbt run -s orders -t prod", "python -m dbt.cli.main run --target=prod", "poetry run dbt run -tprod"],
    "psql -d prod*": ["psql --dbname prod", "psql --dbn=prod -c x"],
    "python tools/seed.py --truncate*": ["python tools/seed.py --trunc"],
    "sbt publishLocal*": ["sbt core/publishLocal", 'sbt "clean; +publishLocal"', 'sbt "all compile publishLocal"'],
    "git push origin main*": ["git symbolic-ref HEAD refs/heads/main && git push"],
    "yarn e2e*": ["npx nx run ui:e2e"],
    "npm install lodash*": ["npm install-test lodash"],
    "nx run web:e2e*": [
      "nx e2e web",
      "npx nx e2e web --headed",
      "pnpm nx run-many -t lint e2e -p web",
      "nx affected --target=e2e --base=main",
      "nx run --project=web --target=e2e",
      "cd web && npx nx e2e",
    ],
    "pnpm db:push*": ["npx nx run-many -t db:push"],
    "nox -s e2e*": ["nox --session e2e", "nox --sessions=lint,e2e", "python3 -m nox -k e2e"],
    "inv db.reset*": ["invoke db.reset", "python -m invoke -e db.reset", "poetry run invoke db.reset"],
    "cargo xtask gen*": [
      "cargo run -p xtask -- gen",
      "cargo r -qp xtask -- gen",
      "cargo run --release --bin xtask gen",
      "cargo run --manifest-path cli/xtask/Cargo.toml -- gen",
      "cd cli/xtask && cargo run -- gen",
      "cargo build -p xtask && ./target/debug/xtask gen",
      "cargo run -pxtask -- gen",
      "cargo build && cp target/debug/xtask /tmp/xt && /tmp/xt gen",
      "rustc cli/xtask/src/main.rs -o /tmp/x && /tmp/x gen",
    ],
    "bazel run //tools:migrate*": [
      "bazel run @//tools:migrate",
      "bazelisk run tools:migrate",
      "cd tools && bazel run :migrate",
      "bazel build //tools:migrate && bazel-bin/tools/migrate",
    ],
    "npx cdk synth -c env=prod*": ["npx cdk synth --context env=prod", "npx cdk synthesize -c env=prod"],
    "docker compose exec db mysql*": ["sail exec db mysql", "docker compose exec -T db mysql"],
    "RAILS_ENV=production *": [
      "bash -cm 'RAILS_ENV=production rake x'",
      "e=production; RAILS_ENV=$e rake x",
      "RAILS_ENV=production rake x",
      "A=1 RAILS_ENV='production' rake x",
      "export RAILS_ENV=production; rake x",
    ],
    "NODE_ENV=production npm start*": ["env NODE_ENV=production npm run start", "npx cross-env NODE_ENV=production npm start"],
  };
  expect(callsWith(folder, denied, (effect) => effect === "allow")).toEqual([]);
  const others: Record<string, string[]> = {
    "go run ./cmd/backfill*": ["go build -o /tmp/x ./cmd/backfill", "go build -o /tmp/x ./cmd/api && /tmp/x", "dlv debug ./cmd/api"],
    "just deploy-db*": ["just 'a(b' x", "just '*' x", "just t", "just test", "just --show deploy-db", "just -s deploy-db"],
    "pytest tests/e2e*": ["just check tests/unit", "just check"],
    "cmake --install*": ["cmake3 --build build --target install-docs"],
    "jupyter nbconvert --execute*": ["jupyter nbconvert --to html a.ipynb"],
    "task db:reset*": ["task l", "task fmt"],
    "pytest tests/smoke*": ["find tests -name '*_b.py' | xargs pytest", "git diff --name-only | xargs pytest"],
    "vite build --mode prod*": ["npm -w web run build -- --mode dev"],
    "pre-commit run --all-files*": ["pre-commit run lint", "pre-commit run --files a"],
    "dbt run --target prod*": ["dbt run --select prod_orders --target dev", "dbt test -t dev"],
    "sbt publishLocal*": ['sbt "run publishLocal"', "sbt compile"],
    "git push origin main*": ["git -c push.default=current push origin feature"],
    "./gradlew bootRun*": ["./gradlew bJar"],
    "tox -e e2e*": ["tox -e py311 -- -k e2e"],
    "eslint --fix*": ["npx eslint -f json src"],
    "pip install --user*": ["pip install -U x"],
    "nx run web:e2e*": ["nx run web:lint", "nx e2e admin", "nx run-many -t lint", "nx graph"],
    "nox -s e2e*": ["nox -s lint", "nox --list"],
    "cargo xtask gen*": ["cargo xtask lint", "cargo run -p app -- gen", "cargo run -p xtask -- lint"],
    "bazel run //tools:migrate*": ["bazel build //tools:migrate", "bazel run //tools:lint", "bazel test //..."],
    "npx prisma migrate*": ["npx jest -t 'prisma migrate'", "npx vitest run -t 'prisma migrate dev'"],
    "RAILS_ENV=production *": [
      "git commit -m 'RAILS_ENV=production is denied'",
      "RAILS_ENV=test rake x",
      "rake x",
      "RAILS_ENV=production_like_test rake x",
    ],
    "git commit --no-verify*": ["git commit -uno -m x"],
  };
  expect(callsWith(folder, others, (effect) => effect !== "allow")).toEqual([]);
});

test("a call in packages of a workspace reads files and runs scripts from the folders of these packages", async () => {
  using folder = await repository();
  const files = { "package.json": "{}", "packages/api/package.json": "{}", "config/prod.json": "x", "scripts/rotate.sh": "x" };
  for (const [file, text] of Object.entries(files)) await folder.write(file, text);
  const effects = (text: string) => [
    effectOf(folder, text, rule("read", "config/prod.json", "deny")),
    effectOf(folder, text, rule("command", "./scripts/rotate.sh*", "deny")),
  ];
  expect(effects("pnpm -r exec cat ../../config/prod.json")).toEqual(["deny", "allow"]);
  expect(effects("yarn workspaces foreach -A exec cat ../../config/prod.json")).toEqual(["deny", "allow"]);
  expect(effects("pnpm --filter api exec ../../scripts/rotate.sh")).toEqual(["allow", "deny"]);
  expect(effects("pnpm -r exec cat ../../package.json")).toEqual(["allow", "allow"]);
});

/** Each line says whether a deny `stops` a call or lets it pass: `stops :: PATTERN :: CALL`. */
const DENIES = readFileSync(new URL("../../../test/permission/command-denies.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => line.split(" :: "));

test("a deny of a command stops the calls that do the same, and no others", async () => {
  using folder = await repository();
  for (const file of ["scripts/seed.py", "scripts/seed.js", "e2e/x_test.go", "src/x.go", "node_modules/prisma/build/index.js"])
    await folder.write(file, "x\n");
  const wrong = DENIES.filter(([wanted = "", pattern = "", text = ""]) => {
    const effect = effectOf(folder, text, rule("command", pattern, "deny"));
    return (wanted === "stops") === (effect === "allow");
  });
  expect(DENIES.length).toBeGreaterThan(90);
  expect(wrong).toEqual([]);
});
