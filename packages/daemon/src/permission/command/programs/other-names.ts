import path from "node:path";
import { remembered } from "@baton/core/text/remembered";
import { namePairs } from "../tables/name-matcher.ts";
import { ALIASES } from "../tables/verb-tables.ts";

/** Other names of a program: of a part of git (`git-NAME`), without a version or an ending, of a wrapper, of a module of Python, or of a task. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^(git|cargo|dotnet|kubectl|gh|docker|swift)-(?=\w)/, "$1 "],
  [/^([a-z][a-z-]*[a-z])-?[\d.]+$|^(gradle|mvn)([wd]|Debug)$|^[gb](make)$/, "$1$2$4"],
  [/^(.\S*)@[^/]*$/, "$1"],
  [/^([\w-]+)\.(bat|cmd|exe|phar|distrib|pyz?|snapshot)$/, "$1"],
  [/^(\w+)(?:\.\w+)*\.(config|main|__main__|cli|cmdline|console|command|_internal|application)$/, "$1"], // a module of Python that is a program
  [/^(\w+)\.cli\.(\w+)$/, "$1-$2"], // the module of `ansible-playbook`
  [/^microk8s\.(?=\w)/, ""],
  [/^jupyter-(?=\w)|^jupyter_core\.command$/, "jupyter "],
  [/^([a-z]+)_([a-z]+)$/, "$1-$2"], // the module of `pre-commit`
  [/^(ptw|pytest[-_]watch(er)?)$/, "pytest"],
  [/^\.?[jJ]ustfile$/, "just"],
  [/^(npm-run-all2?|run-[sp])$/, "turbo run"], // it takes several tasks as well
  [/^(pnpm|yarn|bun|composer|turbo)$/, "$1 run"],
  ...["python", "python3"].map((name) => [/^python[\d.]*$/, name] as const),
  ...["sh", "bash"].map((name) => [/^(ba|da)?sh$/, name] as const),
];

/** Programs that are, or start, the program behind `=` with the same words. A `+` stands for a blank. */
const SAME =
  namePairs(`inv=invoke go-task=task cmake3=cmake ctest3=ctest bazelisk=bazel ibazel=bazel sail=docker+compose compose=docker+compose podman-compose=docker+compose colormake=make pmake=make
  r=Rscript littler=Rscript lerna=turbo remake=make yarnpkg=yarn platformio=pio py.test=pytest art=php+artisan gotest=go+test
  nr=npm+run rushx=npm+run rush=turbo lage=turbo wsrun=turbo dx=npx vp=pnpm na=pnpm vpr=npm+run opentofu=terraform tf=terraform usql=psql nci=npm+ci ni=npm+install nun=npm+uninstall nlx=npx apt-fast=apt-get ssed=sed gsed=sed eslint_d=eslint prettierd=prettier
  awslocal=aws tflocal=terraform cdklocal=cdk samlocal=sam denon=deno cnpm=npm bundler=bundle mariadb=mysql mycli=mysql pgcli=psql mongo=mongosh gw=gradle gdub=gradle gng=gradle bazelw=bazel aspect=bazel
  ninja-build=ninja samu=ninja mingw32-make=make prek=pre-commit parallel_rspec=rspec turbo_tests=rspec podman-remote=podman finch=docker nerdctl=docker flutter_tools=flutter django-admin=python+manage.py
  scp=ssh sftp=ssh autossh=ssh mosh=ssh sshfs=ssh pssh=ssh parallel-ssh=ssh clush=ssh pdsh=ssh rsh=ssh slogin=ssh dbclient=ssh et=ssh`);

const HAS_FORM = new RegExp(FORMS.map(([form]) => form.source).join("|"));

export const otherNames = remembered((base): readonly string[] => {
  const names = new Set(namesFor(base).flatMap((name) => [name, ...(name.includes(" ") ? [] : namesFor(name))]));
  names.delete(base);
  return [...names];
});

function namesFor(base: string): string[] {
  const known = [ALIASES.get(base), SAME.get(base)?.replaceAll("+", " ")].filter((name) => name !== undefined);
  return [...(HAS_FORM.test(base) ? FORMS.map(([form, name]) => base.replace(form, name)) : []), ...known];
}

/** Programs that hand words to the program behind `=`, after words of their own. */
const HANDS = namePairs(`richgo=go gotip=go gow=go wgo=go gocov=go cross=cargo cargo-careful=cargo gita=git fvm=flutter tenv=terraform
  ansible-navigator=ansible-playbook ansible-runner=ansible-playbook`);

/** Returns the program that gets words of this one: `go` for `gow -v test`. */
export const handedTo = (base: string): string | undefined => HANDS.get(base);

/** Returns the names of a program at a path, in a package (`nixpkgs#git`) or in an image (`composer:2`). Its script may have an ending: `npm-cli.js`. */
export const namesIn = remembered((file): readonly string[] => {
  const name = path.posix.basename(file.replace(/^.*#/, ""));
  return [
    file,
    name,
    name.replace(/(-cli|-\d[\d.]*)?\.[cm]?js$|(-cli)?(:[\w.-]+)?$/, ""),
    ...(file.includes("#") ? name.split("-") : []),
    ...(/node_modules\/(?:@([^/]+)\/)?([^/.]+)\//.exec(file)?.slice(1).filter(Boolean) ?? []),
  ];
});
