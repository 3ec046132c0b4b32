import type { Tables } from "../table.ts";

const shown =
  "-p -u -s -w -b -M -C -R -z -a --patch --no-patch --stat --numstat --shortstat --name-only --name-status --summary --raw --minimal --patience --histogram --color --no-color --no-ext-diff --no-textconv --word-diff --check --full-index --binary --abbrev --find-renames --find-copies --find-copies-harder --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --exit-code --quiet -q --relative --no-renames --text --compact-summary --dirstat --function-context -W --cached --staged --merge-base --no-prefix --cc -c -m --first-parent";
const shownValued =
  "-G -S -l --diff-filter --diff-algorithm --stat-width --inter-hunk-context --word-diff-regex --src-prefix --dst-prefix --output-indicator-new --output-indicator-old";
/** Their values, if any, are written right behind them: another word is an operand. */
const shownAttached = "-U --unified --color-moved --submodule --ignore-submodules --color-words";
const shownOptional = "--color --stat --word-diff --abbrev --find-renames --find-copies -M -C --relative --dirstat --color-moved";
const running = { writes: "--output", runs: "--ext-diff --textconv --no-index" };
const walking =
  "--oneline --graph --all --decorate --no-decorate --no-merges --merges --reverse --follow --date-order --topo-order --author-date-order --left-right --cherry-pick --cherry-mark --show-signature --no-walk --boundary --simplify-by-decoration --full-history --branches --tags --remotes --abbrev-commit --no-abbrev-commit --parents --children --walk-reflogs -g -i -E -F --no-notes --notes --pretty --source --count --log-size --show-pulls --ancestry-path --invert-grep --all-match --regexp-ignore-case";
const walkingValued =
  "-n --max-count --skip --since --after --until --before --author --committer --grep --format --date --min-parents --max-parents -L --decorate-refs --decorate-refs-exclude --exclude --glob";
const walkingOptional = "--pretty --decorate --branches --tags --remotes --notes --no-walk";

const log = {
  ...running,
  numbers: true as const,
  flags: `${shown} ${walking}`,
  valued: `${shownValued} ${walkingValued}`,
  attached: shownAttached,
  optional: `${shownOptional} ${walkingOptional}`,
  operands: "text" as const,
};
const acts = { acts: true as const };

/** The sub-commands of git. Those that act are here with what of them runs something else; others are not judged. */
export const gitTables: Tables = {
  log,
  show: log,
  diff: log,
  "diff --no-index": { ...log, operands: "searches" },
  whatchanged: log,
  "diff-tree": { ...log, flags: `${log.flags} -r -t --root --no-commit-id` },
  "diff-index": log,
  "diff-files": log,
  "range-diff": log,
  shortlog: {
    ...log,
    flags: `${log.flags} -n -e -c --numbered --email`,
    valued: log.valued.replace(/(^| )-n /, " "),
  },
  "rev-list": { ...log, flags: `${log.flags} --objects --bisect --disk-usage` },
  reflog: log,
  "reflog show": log,
  "reflog expire": acts,
  "reflog delete": acts,
  status: {
    flags:
      "-s -b -v -z --short --branch --porcelain --long --verbose --ignored --show-stash --ahead-behind --no-ahead-behind --renames --no-renames -u -uno -uall -unormal",
    optional: "--porcelain --ignored",
    attached: "--untracked-files --ignore-submodules --column",
    operands: "text",
  },
  branch: {
    runs: "--edit-description",
    flags: "-a -r -v -vv -l -i --list --all --remotes --verbose --show-current --no-color --color --ignore-case",
    optional: "--color",
    valued: "--contains --no-contains --merged --no-merged --sort --points-at --format",
    attached: "--column --abbrev",
    operands: "none",
  },
  "branch --list": { flags: "-a -r -v", valued: "--sort --format", operands: "text" },
  "branch -d": acts,
  "branch -D": acts,
  "branch -m": acts,
  "branch -M": acts,
  tag: {
    reads: "-F --file",
    flags: "-l --list -i",
    numbers: true,
    valued: "--sort --contains --no-contains --merged --no-merged --points-at --format",
    attached: "--column -n",
    operands: "none",
  },
  "tag -l": { attached: "-n", flags: "-i", valued: "--sort --format --contains", operands: "text" },
  "tag --list": { attached: "-n", flags: "-i", valued: "--sort --format --contains", operands: "text" },
  remote: { flags: "-v --verbose", operands: "none" },
  "remote -v": { operands: "none" },
  "remote get-url": { flags: "--all --push", operands: "text" },
  "remote show": acts,
  "remote prune": acts,
  "remote update": acts,
  "rev-parse": {
    flags:
      "--abbrev-ref --short --verify --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name --all --branches --tags --remotes -q --quiet --show-object-format --show-superproject-working-tree",
    optional: "--short --abbrev-ref",
    valued: "--git-path",
    operands: "text",
  },
  "ls-files": {
    flags:
      "-c -d -m -o -i -s -u -k -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --full-name --error-unmatch --recurse-submodules --directory --no-empty-directory --eol --deduplicate",
    valued: "-x --exclude --format --abbrev",
    operands: "text",
  },
  "ls-tree": {
    flags: "-r -d -t -l -z --name-only --name-status --full-name --full-tree --object-only --long",
    valued: "--format --abbrev",
    operands: "text",
  },
  blame: {
    flags:
      "-b -c -e -f -l -n -p -s -t -w -M -C --porcelain --line-porcelain --show-email --show-name --show-number --root --show-stats --date",
    valued: "-L --since --ignore-rev",
    attached: "--abbrev",
    optional: "--date",
    operands: "text",
  },
  annotate: { flags: "-l -s -e", valued: "-L", operands: "text" },
  describe: {
    flags: "--tags --all --long --always --dirty --contains --exact-match --first-parent --debug",
    optional: "--dirty",
    valued: "--match --exclude --candidates",
    attached: "--abbrev",
    operands: "text",
  },
  "stash list": log,
  "stash show": log,
  stash: acts,
  "worktree list": { flags: "-v -z --porcelain --verbose", operands: "none" },
  "submodule status": { flags: "--cached --recursive --quiet", operands: "text" },
  "submodule update": {
    acts: true,
    flags: "-q --init --recursive --quiet",
    valued: "-j --jobs --depth",
    runs: "--remote --force -f --merge --rebase --checkout",
  },
  "submodule init": acts,
  "config --get": { reads: "-f --file", operands: "text" },
  "config --get-all": { reads: "-f --file", operands: "text" },
  "config --get-regexp": { reads: "-f --file", operands: "text" },
  "config --list": { flags: "--show-origin --show-scope --global --local --system --name-only -z", reads: "-f --file", operands: "none" },
  "config -l": { flags: "--show-origin --show-scope --global --local --system --name-only -z", reads: "-f --file", operands: "none" },
  "config get": { reads: "-f --file", operands: "text" },
  "config list": { flags: "--show-origin --show-scope --global --local --system --name-only -z", reads: "-f --file", operands: "none" },
  "cat-file": { flags: "-t -s -e -p", runs: "--textconv --filters", operands: "text" },
  "merge-base": { flags: "-a --all --is-ancestor --fork-point --octopus --independent", operands: "text" },
  "name-rev": { flags: "--name-only --tags --all --always --no-undefined", operands: "text" },
  "show-ref": {
    flags: "--head --heads --branches --tags -d -s --hash --verify -q --abbrev",
    optional: "--hash --abbrev",
    operands: "text",
  },
  "for-each-ref": { flags: "", valued: "--format --sort --count --contains --merged --no-merged --points-at", operands: "text" },
  "symbolic-ref": { flags: "--short -q", operands: "text", only: /^HEAD$/ },
  "symbolic-ref refs/remotes/origin/HEAD": { flags: "--short -q", operands: "none" },
  "check-ignore": { flags: "-v -q -n --no-index --verbose", operands: "text" },
  "check-attr": { flags: "-a --all", operands: "text" },
  "count-objects": { flags: "-v -H", operands: "none" },
  cherry: { flags: "-v", operands: "text" },
  "verify-commit": acts,
  var: { operands: "text", only: /^GIT_(AUTHOR|COMMITTER)_IDENT$/ },
  version: { flags: "--build-options", operands: "none" },
  help: { flags: "-a -g --all --guides", runs: "-w --web -m --man -i --info", operands: "text", only: /^[\w-]+$/ },
  grep: {
    numbers: true,
    flags:
      "-a -c -E -F -G -h -H -i -I -l -L -n -o -P -p -q -r -v -w -W -z --count --extended-regexp --fixed-strings --ignore-case --invert-match --name-only --files-with-matches --line-number --only-matching --perl-regexp --word-regexp --cached --untracked --heading --break --color --no-color --recursive --show-function --and --or --not --all-match --column --full-name",
    valued: "-e -A -B -C -m --max-depth --max-count --threads",
    runs: "-O --open-files-in-pager --textconv --no-index --ext-grep -f",
    operands: "text",
  },

  add: { acts: true, flags: "-A -u -p -n -f -v -N --all --update --verbose", runs: "-e --edit -i --interactive" },
  commit: {
    acts: true,
    flags: "-a -s -v -q -n --amend --no-edit --no-verify --allow-empty --signoff",
    valued: "-m --message --author --date --fixup --squash -C --trailer --cleanup",
    reads: "-F --file -t --template",
  },
  push: { acts: true, runs: "--receive-pack --exec" },
  pull: { acts: true, runs: "--upload-pack --strategy -s -X" },
  fetch: { acts: true, runs: "--upload-pack" },
  clone: { acts: true, runs: "-c --config --upload-pack -u --template --bundle-uri --reference --separate-git-dir" },
  init: { acts: true, runs: "--template --separate-git-dir" },
  checkout: { acts: true },
  switch: { acts: true },
  restore: { acts: true },
  reset: { acts: true },
  clean: { acts: true },
  merge: { acts: true, valued: "-m", reads: "-F --file", runs: "-s --strategy -X" },
  "merge-file": { acts: true, flags: "-p -q --diff3 --ours --theirs --union", valued: "-L", operands: "moves" },
  rebase: { acts: true, runs: "-x --exec -i --interactive -s --strategy --edit-todo" },
  "cherry-pick": { acts: true, runs: "--strategy -e --edit" },
  revert: { acts: true, runs: "--strategy" },
  rm: { acts: true, flags: "-f -q --cached -r -n", operands: "edits" },
  mv: { acts: true, flags: "-f -k -n -v", operands: "moves", into: true },
  apply: { acts: true, flags: "--check --stat --index --cached -R -v --3way -3", operands: "reads", runs: "--unsafe-paths --directory" },
  "format-patch": { acts: true, writes: "-o --output-directory --output" },
  "ls-remote": { acts: true, runs: "--upload-pack --exec" },
  archive: { acts: true, reads: "--add-file", writes: "-o --output", runs: "--exec --remote" },
  "bundle create": acts,
  "bundle verify": acts,
  "lfs ls-files": { flags: "-l -s -n -a --long --size --name-only --all", operands: "text" },
  "worktree add": acts,
  "worktree remove": acts,
  "worktree prune": acts,
  fsck: acts,
  gc: acts,
  prune: acts,
  notes: { acts: true, reads: "-F --file" },
  "notes show": { operands: "text" },
  "notes list": { operands: "text" },
  bisect: acts,
  "bisect log": { operands: "none" },
};
