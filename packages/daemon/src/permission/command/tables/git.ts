import { parseTables } from "./argument-table.ts";

/** The subcommands of git. For those that act, the table lists the parts that run something else. Baton does not judge others. */
export const gitTables = parseTables(String.raw`
log,show,diff,whatchanged,diff-index,diff-files,range-diff,reflog,reflog show,stash list,stash show | numbers operands=text | flags: -p -u
  -s -w -b -M -C -R -z -a --patch --no-patch --stat --numstat --shortstat --name-only --name-status --summary --raw --minimal --patience
  --histogram --color --no-color --no-ext-diff --no-textconv --word-diff --check --full-index --binary --abbrev --find-renames --find-copies
  --find-copies-harder --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --exit-code --quiet -q --relative
  --no-renames --text --compact-summary --dirstat --function-context -W --cached --staged --merge-base --no-prefix --cc -c -m --first-parent
  --oneline --graph --all --decorate --no-decorate --no-merges --merges --reverse --follow --date-order --topo-order --author-date-order
  --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark --show-signature --no-walk --boundary --simplify-by-decoration --full-history --branches --tags
  --remotes --abbrev-commit --no-abbrev-commit --parents --children --walk-reflogs -g -i -E -F --no-notes --notes --pretty --source --count
  --log-size --show-pulls --ancestry-path --invert-grep --all-match --regexp-ignore-case --not | optional: --color --stat --word-diff --abbrev
  --find-renames --find-copies -M -C --relative --dirstat --color-moved --pretty --decorate --branches --tags --remotes --notes --no-walk |
  valued: -G -S -l --diff-filter --diff-algorithm --stat-width --inter-hunk-context --word-diff-regex --src-prefix --dst-prefix
  --output-indicator-new --output-indicator-old -n --max-count --skip --since --after --until --before --author --committer --grep --format
  --date --min-parents --max-parents -L --decorate-refs --decorate-refs-exclude --exclude --glob | attached: -U --unified --color-moved
  --submodule --ignore-submodules --color-words | writes: --output | runs: --ext-diff --textconv --no-index
diff --no-index | @log | operands=searches
diff-tree | @log | flags+: -r -t --root --no-commit-id
shortlog | @log | flags+: -n -e -c --numbered --email | valued-: -n
rev-list | @log | flags+: --objects --bisect --disk-usage
reflog expire,reflog delete,branch -d,branch -D,branch -m,branch -M,remote show,remote prune,remote update,stash,submodule
  init,verify-commit,checkout,switch,restore,reset,clean,bundle create,bundle verify,worktree add,worktree remove,worktree
  prune,gc,prune,bisect | acts | reads: --pathspec-from-file
fsck | operands=text | flags: -v --unreachable --no-reflogs --dangling --no-dangling --full --no-full --strict --root --tags --cache
  --connectivity-only --progress --no-progress --verbose --name-objects
sparse-checkout list,rerere status | operands=none
bisect replay | acts operands=reads
status | operands=text | flags: -s -b -v -z --short --branch --porcelain --long --verbose --ignored --show-stash --ahead-behind
  --no-ahead-behind --renames --no-renames -u -uno -uall -unormal | optional: --porcelain --ignored | attached: --untracked-files --ignore-submodules --column
branch | operands=none | flags: -a -r -v -vv -l -i --list --all --remotes --verbose --show-current --no-color --color --ignore-case |
  optional: --color | valued: --contains --no-contains --merged --no-merged --sort --points-at --format | attached: --column --abbrev | runs: --edit-description
branch --list | operands=text | flags: -a -r -v | valued: --sort --format
tag | numbers operands=none | flags: -l --list -i | valued: --sort --contains --no-contains --merged --no-merged --points-at --format |
  attached: --column -n | reads: -F --file
tag -l,tag --list | operands=text | flags: -i | valued: --sort --format --contains | attached: -n
remote,bisect log | operands=none | flags: -v --verbose
remote get-url | operands=text | flags: --all --push
rev-parse | operands=text | flags: --abbrev-ref --short --verify --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir
  --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name
  --all --branches --tags --remotes -q --quiet --show-object-format --show-superproject-working-tree | optional: --short --abbrev-ref | valued: --git-path
ls-files | operands=text | flags: -c -d -m -o -i -s -u -k -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged
  --exclude-standard --full-name --error-unmatch --recurse-submodules --directory --no-empty-directory --eol --deduplicate | valued: -x
  --exclude --format --abbrev | reads: -X --exclude-from
ls-tree | operands=text | flags: -r -d -t -l -z --name-only --name-status --full-name --full-tree --object-only --long | valued: --format --abbrev
blame | operands=text | flags: -b -c -e -f -l -n -p -s -t -w -M -C --porcelain --line-porcelain --show-email --show-name --show-number
  --root --show-stats --date | optional: --date | valued: -L --since --ignore-rev | attached: --abbrev
annotate | operands=text | flags: -l -s -e | valued: -L
describe | operands=text | flags: --tags --all --long --always --dirty --contains --exact-match --first-parent --debug | optional: --dirty |
  valued: --match --exclude --candidates | attached: --abbrev
worktree list,version | operands=none | flags: -v -z --porcelain --verbose --build-options
submodule status | operands=text | flags: --cached --recursive --quiet
submodule update | acts | flags: -q --init --recursive --quiet | valued: -j --jobs --depth | runs: --remote --force -f --merge --rebase --checkout
config --get,config --get-all,config --get-regexp,config get | operands=text | reads: -f --file
config --list,config -l,config list | operands=none | flags: --show-origin --show-scope --global --local --system --name-only -z | reads: -f --file
cat-file | operands=text | flags: -t -s -e -p --batch-check | optional: --batch-check | runs: --textconv --filters
merge-base | operands=text | flags: -a --all --is-ancestor --fork-point --octopus --independent
name-rev | operands=text | flags: --name-only --tags --all --always --no-undefined | valued: --refs
show-ref | operands=text | flags: --head --heads --branches --tags -d -s --hash --verify -q --abbrev | optional: --hash --abbrev
for-each-ref | operands=text | valued: --format --sort --count --contains --merged --no-merged --points-at
symbolic-ref | operands=text | flags: --short -q --quiet | only: ^HEAD$
symbolic-ref refs/remotes/origin/HEAD | operands=none | flags: --short -q
check-ignore | operands=text | flags: -v -q -n --no-index --verbose
hash-object | operands=reads | flags: --stdin | valued: -t
show-branch | operands=text | flags: -a -r --all --remotes --list --current --topics --sha1-name --no-name
check-attr,count-objects,cherry | operands=text | flags: -a -v -H --all
var | operands=text | only: ^GIT_((AUTHOR|COMMITTER)_IDENT|EDITOR|PAGER|SEQUENCE_EDITOR|DEFAULT_BRANCH)$
help | operands=text | flags: -a -g --all --guides | runs: -w --web -m --man -i --info | only: ^[\w-]+$
grep | numbers operands=text | flags: -a -c -E -F -G -h -H -i -I -l -L -n -o -P -p -q -r -v -w -W -z --count --extended-regexp
  --fixed-strings --ignore-case --invert-match --name-only --files-with-matches --line-number --only-matching --perl-regexp --word-regexp
  --cached --untracked --heading --break --color --no-color --recursive --show-function --and --or --not --all-match --column --full-name |
  valued: -e -A -B -C -m --max-depth --max-count --threads | runs: -O --open-files-in-pager --textconv --no-index --ext-grep -f
add | acts | flags: -A -u -p -n -f -v -N --all --update --verbose | reads: --pathspec-from-file | runs: -e --edit -i --interactive
commit | acts | flags: -a -s -v -q -n --amend --no-edit --no-verify --allow-empty --signoff | valued: -m --message --author --date --fixup
  --squash -C --trailer --cleanup | reads: -F --file -t --template --pathspec-from-file
push | acts | runs: --receive-pack --exec
pull | acts | runs: --upload-pack --strategy -s -X
fetch | acts | runs: --upload-pack
clone | acts | runs: -c --config --upload-pack -u --template --bundle-uri --reference --separate-git-dir
init | acts | runs: --template --separate-git-dir
merge | acts | valued: -m | reads: -F --file | runs: -s --strategy -X
merge-file | acts operands=moves | flags: -p -q --diff3 --ours --theirs --union | valued: -L
rebase | acts | runs: -x --exec -i --interactive -s --strategy --edit-todo
cherry-pick | acts | runs: --strategy -e --edit
revert | acts | runs: --strategy
rm | acts operands=edits | flags: -f -q --cached -r -n | reads: --pathspec-from-file
mv | acts onlyEdits into operands=moves | flags: -f -k -n -v
apply | acts operands=reads | flags: --check --stat --index --cached -R -v --3way -3 | runs: --unsafe-paths --directory
apply --stat,apply --numstat,apply --summary,apply --check | operands=reads | flags: -v --stat --numstat --summary --check
add -n,add --dry-run | operands=text | flags: -n -v -A -u --dry-run --verbose --all --update
clean -n,clean -nd,clean -dn,clean -nx,clean -xn,clean -ndx,clean -nxd,clean --dry-run | operands=text | flags: -n -d -x -X -q --dry-run |
  valued: -e
format-patch | acts | writes: -o --output-directory --output
ls-remote | acts | runs: --upload-pack --exec
archive | acts | flags: -v -l --verbose --list | valued: --format --prefix --mtime | reads: --add-file | writes: -o --output | runs: --exec --remote
lfs ls-files | operands=text | flags: -l -s -n -a --long --size --name-only --all
notes | acts | reads: -F --file
notes show,notes list | operands=text
`);
