import { parseTables } from "./argument-table.ts";

/** Programs that look at files and text. */
export const readers = parseTables(String.raw`
ls | operands=names | flags: -a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1
  --all --almost-all --author --color --directory --classify --human-readable --si --inode --recursive --reverse --size --full-time
  --group-directories-first --dereference --numeric-uid-gid --file-type --zero --hyperlink | optional: --color --classify --hyperlink | names: -I -w -T | valued: --ignore
  --hide --sort --time --time-style --format --width --block-size --indicator-style --quoting-style | follows: -L --dereference | byName: -d --directory
cat | operands=reads | flags: -A -b -e -E -n -s -t -T -u -v --show-all --number --number-nonblank --show-ends --show-tabs --squeeze-blank
less,more | numbers operands=reads | flags: -N -S -R -F -X -i -I -n -s -r -e
tac | operands=reads | flags: -b -r | valued: -s
nl | operands=reads | flags: -p | valued: -b -d -f -h -i -l -n -s -v -w
pr | numbers operands=reads | flags: -t -T -a -d -f -F -J -m -r -v -n | valued: -h -l -o -w -W -D -N
head,tail | numbers operands=reads | flags: -f -F -q -v -z --follow --retry --quiet --silent --verbose | optional: --follow | valued: -n -c -s
  --lines --bytes --pid --sleep-interval
wc | operands=reads | runs: --files0-from | flags: -c -m -l -L -w --bytes --chars --lines --words --max-line-length
pwd | operands=none | flags: -L -P
echo,true,false,:,help,yes | anything operands=text | flags: -n -e -E
which,whereis,locale,type | operands=text | flags: -a -b -m -s -t -p -P -f
file | operands=reads | flags: -b -i -L -h -k -r -s --brief --mime --mime-type --mime-encoding | runs: -C --compile -f --files-from -m --magic-file
stat | operands=names | flags: -L -f -t -x --dereference --terse | valued: -c --format --printf
du | operands=names | flags: -a -b -c -D -h -H -k -l -L -m -P -s -S -x -0 --all --apparent-size --bytes --total --human-readable --summarize
  --one-file-system --si | valued: -d --max-depth --exclude -B --block-size -t --threshold | follows: -L --dereference
df | operands=text | flags: -a -h -H -i -k -l -m -P -T --human-readable --total
shuf | operands=reads | flags: -e -r -z --echo --repeat --zero-terminated | valued: -i -n --input-range --head-count | reads: --random-source | writes: -o --output
date | operands=text | flags: -u -R --utc --universal | valued: -d -v --date --rfc-3339 | attached: -I --iso-8601 | reads: -f --file -r --reference | runs: -s --set | only: ^\+
basename,dirname | operands=text anything | flags: -a -z | valued: -s --suffix
realpath,readlink | operands=names | flags: -e -f -m -n -q -s -v -z -L -P --canonicalize-existing --logical --no-symlinks | valued: --relative-to --relative-base
sort | operands=reads | flags: -b -d -f -g -h -i -M -n -r -R -s -u -V -z -c -C -m --ignore-leading-blanks --ignore-case --numeric-sort
  --human-numeric-sort --version-sort --reverse --unique --stable --zero-terminated --check | optional: --check | valued: -k -t -S --key --field-separator
  --sort --buffer-size --parallel | writes: -o --output -T --temporary-directory | runs: --compress-program --files0-from
uniq | flagsFirst lastEdited operands=reads | flags: -c -d -D -i -u -z --count --repeated --unique --ignore-case --zero-terminated | valued: -f -s -w
  --skip-fields --skip-chars --check-chars
cut | operands=reads | flags: -n -s -z --complement --only-delimited | valued: -b -c -d -f --bytes --characters --delimiter --fields --output-delimiter
tr | operands=text | flags: -c -C -d -s -t --complement --delete --squeeze-repeats
rev,cksum,sum,tsort | operands=reads | flags: -f -l
zcat,xzcat,zstdcat,bzcat | operands=reads | flags: -f -l | endings: .gz .z .Z .xz .zst .bz2
ip | operands=text | flags: -4 -6 -br -brief -c -s -j -o | only: ^(a|addr|address|l|link|r|route|n|neigh|neighbor|show|list|ls)$
column | operands=reads | flags: -t -x -e -J --table --fillrows | valued: -s -o -c -N --separator --output-width --output-separator
paste | operands=reads | flags: -s -z | valued: -d
join | operands=reads | flags: -i | valued: -1 -2 -e -j -o -t -v | reads: -a
comm | operands=reads | flags: -1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated | valued: --output-delimiter
diff | numbers operands=searches | flags: -a -b -B -c -d -e -E -i -n -N -p -q -r -s -t -T -u -w -y -Z --brief --unified --recursive
  --ignore-all-space --ignore-space-change --ignore-blank-lines --side-by-side --color --new-file --text --strip-trailing-cr
  --suppress-common-lines --minimal --normal --ignore-case --expand-tabs --report-identical-files | optional: --color --unified | valued: -U -C -x -I -L -W --exclude --label --width --ignore-matching-lines
zipinfo | noEnd operands=reads | flags: -1 -2 -l -m -s -v -h -t -z -T | endings: .zip .ZIP
diff3 | operands=reads | flags: -3 -A -a -e -E -i -m -T -x -X
sdiff | operands=searches | flags: -a -b -B -d -E -i -l -s -t -W | valued: -w -I | runs: -o --output
cmp | operands=reads | flags: -b -l -s --silent --quiet --print-bytes --verbose | valued: -i -n
grep | numbers operands=reads | flags: -a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -U -v -w -x -y -z -Z --count --color
  --colour --extended-regexp --fixed-strings --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp
  --files-with-matches --files-without-match --line-number --with-filename --no-filename --only-matching --quiet --silent --no-messages
  --recursive --dereference-recursive --text --null --null-data --line-buffered | optional: --color --colour | valued: -e -m -A -B -C -d -D
  --regexp --max-count --after-context --before-context --include --exclude --exclude-dir --binary-files --label --devices
  --directories | attached: --context | reads: -f --file --exclude-from | textFirst: -e --regexp -f --file
rg | numbers operands=reads | flags: -a -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -w -x -0 -. --hidden --no-ignore
  --no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-parent --no-ignore-global --no-heading --heading --line-number --no-line-number --column --count --count-matches --include-zero --debug --files --files-with-matches
  --files-without-match --fixed-strings --follow --ignore-case --invert-match --json --multiline --multiline-dotall --no-filename
  --with-filename --no-messages --null --only-matching --pcre2 --pretty --quiet --smart-case --case-sensitive --stats --text --trim
  --passthru --passthrough --glob-case-insensitive --line-buffered --block-buffered --crlf --byte-offset --type-list --unrestricted --vimgrep --max-columns-preview --word-regexp --line-regexp --version --no-config --no-hidden | valued: -e -g -t -T -m -A -B -C -d -E
  -j -M -r --regexp --glob --iglob --type --type-not --type-add --max-count --after-context --before-context --context --max-depth
  --encoding --threads --max-columns --replace --sort --sortr --color --colors --max-filesize --engine --context-separator | reads: -f
  --file --ignore-file | runs: --pre --hostname-bin --pre-glob --hyperlink-format | textFirst: -e --regexp -f --file --files --type-list
numfmt | operands=text | valued: --to --from --suffix --padding --field --format --grouping
tree | apart operands=names | flags: -a -d -f -i -l -x -A -C -D -F -J -N -Q -S -X -g -h -n -p -q -r -s -t -u -v --dirsfirst --filesfirst --noreport --gitignore
  --du --si --prune | valued: -L -I -P --filelimit --charset --timefmt --sort | renames: -o -R | follows: -l
jq | operands=reads | flags: -r -c -e -n -s -S -M -C -a -j -R --raw-output --compact-output --exit-status --null-input --slurp --sort-keys
  --monochrome-output --color-output --tab --raw-input --join-output --ascii-output --stream --seq --args --jsonargs | valued: --indent --arg --argjson | reads: -f --from-file --slurpfile --rawfile |
  runs: -L --library-path | textFirst: -f --from-file
gzip,gunzip,bzip2,bunzip2,xz,unxz,unlzma,uncompress,zstd,unzstd,lz4,unlz4,lzip,pigz,unpigz,brotli | operands=reads | requires: -c --stdout
  --to-stdout | flags: -c -d -k -f -v -q -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --keep --force --verbose --quiet | endings: .gz .z .Z .xz .lzma .zst .bz2 .lz4 .br
yq | operands=reads ending=.yml | inPlace: -i --inplace | flags: -i --inplace -r -P -e -n -N -c -M -C -y --prettyPrint --null-input --no-doc | valued: -o -p -I
  --output-format --input-format --indent
bc | operands=reads | flags: -l -q -s -w --mathlib --quiet
fold,fmt | operands=reads | flags: -b -c -s -u -t | valued: -w -g --width | reads: -p
expand,unexpand | operands=reads | flags: -a -i --first-only | valued: -t --tabs
zgrep | @grep | endings: .gz .z .Z
whatis,apropos | operands=text | only: ^[\w.+-]+$
shellcheck | operands=reads | valued: -s -f -e -i -o -S -W --shell --format --exclude --include --severity --enable
fd | operands=names | flags: -H -I -u -s -i -g -F -a -l -L -p -0 --hidden --no-ignore --case-sensitive --ignore-case --glob --fixed-strings
  --absolute-path --list-details --follow --full-path | valued: -d -E -t -e -S -c --max-depth --min-depth --exclude --type --extension
  --size --color --changed-within --changed-before --max-results | runs: -x -X --exec --exec-batch --base-directory --ignore-file | textFirst: --none
bat | operands=reads | flags: -n -p -A -P -u -f -s --plain --number --show-all --unbuffered --force-colorization --squeeze-blank |
  valued: -l -r -H --language --line-range --highlight-line --file-name --style --color --theme --wrap --tabs --terminal-width --paging | runs: --pager --config-file --config-dir --map-syntax --diff-so-fancy cache
eza | operands=names | flags: -l -a -1 -T -R -r -h -g -i -d -D -F -x --long --all --oneline --tree --recurse --reverse --header --group
  --git --git-ignore --icons --no-icons --group-directories-first --only-dirs --classify | optional: --icons --classify | valued: -L -s -I
  --level --sort --ignore-glob --color --time --time-style
hexyl | operands=reads | flags: -v -p -P --no-squeezing --plain --no-position | valued: -n -s -c -o --length --skip --bytes --block-size
  --display-offset --color --border --panels --group-size --character-table
tokei | operands=searches | flags: -f -C -l --files --compact --languages | valued: -t -s -e -c --types --sort --exclude --columns
scc | operands=searches | flags: -c -d -l -w --by-file --no-cocomo --no-complexity --no-duplicates --languages --wide | valued: -f -s -i -x -M
  --format --sort --include-ext --exclude-ext --exclude-dir --not-match
cloc | operands=searches | only: ^(?![\da-f]{4,40}$|HEAD)(\.{1,2}\/)*\.?[\w/-]*$ | flags: --by-file --quiet --json --yaml --csv --md --hide-rate |
  valued: --exclude-dir --exclude-ext --include-ext --include-lang --exclude-lang
top | operands=none | flags: -b -c -H -i -S | valued: -n -d -p -u -o -w
seq | numbers operands=text | flags: -w | valued: -f -s
sleep,groups,printenv,cal,getconf,expr,factor,exit,return,break,continue,shift | operands=text
uname,nproc,lscpu,free,who,tty,arch,whoami | operands=none | flags: -a -b -c -e -g -h -i -J -k -m -n -o -p -q -r -s -t -u -v --all --human --total
env,wait,mount,python -m platform | operands=none
id | operands=text | flags: -u -g -G -n -r
hostname,uptime | operands=none | flags: -s -I -p
ps | operands=text | flags: --no-headers -a -A -d -e -f -F -H -l -j -u -x -w -L | valued: -p -C -U -G -g -t -o --sort --pid --ppid --format | only: ^[afuwx]+$
pgrep | operands=text | flags: -a -f -l -c -i -n -o -x | valued: -u -P -d
tput | operands=text | only: ^(?!init$|reset$)[\w-]+$
lsof | operands=names | flags: -n -P -t -l -a -i | valued: -p -u -s -c | attached: -i
ss | operands=none | flags: -t -u -l -n -p -a -x -s -4 -6 -e -o -i -m -H
netstat | operands=none | flags: -n -t -u -l -p -i -s -e --numeric | requires: -n --numeric
md5sum,sha1sum,sha256sum,sha512sum,b2sum,shasum,md5 | operands=reads | flags: -b -t --tag --quiet --status | valued: -a --algorithm | runs: -c --check
base64 | operands=reads | flags: -d -D --decode | valued: -w -b --wrap | reads: -i --input
xxd | alone flagsFirst lastEdited operands=reads | flags: -b -p -ps -plain -postscript -u -i -include -e -C | valued: -l -s -c -g
od | operands=reads | flags: -c -b -d -o -x -v | valued: -A -t -N -j | attached: -w
hexdump | operands=reads | flags: -C -b -c -d -v -x --canonical --no-squeezing | valued: -n -s
strings | atFiles operands=reads | flags: -a | valued: -n -t
nm | atFiles operands=reads | flags: -C -D -g -u -n -S --defined-only --size-sort --demangle --extern-only --undefined-only --debug-syms
readelf | atFiles operands=reads | flags: -A -a -h -l -S -s -d -n -r -V -W -e --headers --symbols --dynamic --wide --file-header | valued: -x -p
objdump | atFiles operands=reads | flags: -d -D -h -x -p -f -r -R -s -t -T -C -w --disassemble --demangle --headers --no-show-raw-insn --syms | valued: -j -M
man | operands=reads | flags: -k -f -a | runs: -P -H -C -M -l -L --pager --html --preprocessor --config-file --manpath --local-file | only: ^[\w.+-]+$
iconv | dashPrints operands=reads | flags: -c -s -l --list | reads: -f -t --from-code --to-code | writes: -o --output
xmllint | noEnd operands=reads | only: ^(?!\w+:) | flags: --noout --format --nonet --html --nowarning | valued: --xpath --encoding --pretty
gofmt | operands=reads ending=.go | flags: -l -d -s -e -w | valued: -r | writes: -cpuprofile | inPlace: -w
python -m json.tool | lastEdited operands=reads | flags: --sort-keys --no-ensure-ascii --compact --json-lines --tab --no-indent | valued: --indent
journalctl | operands=none | flags: --no-pager --user -f -e -x -r -b -k | valued: -u -t -n -o -p -S -U --since --until
`);
