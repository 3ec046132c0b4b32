import { parseTables } from "./argument-table.ts";

/** Programs that change files, send or build. Their calls never count as reads, and Baton also judges what their arguments touch. */
export const writers = parseTables(String.raw`
rm | acts onlyEdits operands=edits | flags: -f -i -I -r -R -d -v --recursive --force --dir --verbose
unlink | acts onlyEdits operands=edits
shred | acts operands=edits
mkdir,rmdir | acts onlyEdits operands=edits | flags: -p -v --parents | valued: -m --mode
touch | acts onlyEdits operands=edits | flags: -a -c -m -h | valued: -d -t --date | names: -r --reference
mv | acts onlyEdits into operands=moves | flags: -f -i -n -v -u -T | writes: -t --target-directory | renames: -S --suffix -b --backup
cp | acts onlyEdits into operands=reads | flags: -a -f -i -n -v -u -r -R -p -L -P -H -d -T -b -x --recursive --archive --parents
  --dereference --no-clobber --preserve | optional: --preserve | writes: -t --target-directory | renames: -S --suffix -b --backup -l -s --link --symbolic-link
ln | acts onlyEdits into operands=moves | flags: -s -f -n -r -v -T --symbolic --force | writes: -t --target-directory | renames: -S --suffix -b --backup
install | acts onlyEdits into operands=reads | flags: -d -D -v -p | valued: -m -o -g | writes: -t --target-directory | renames: -S --suffix -b --backup
dos2unix,unix2dos | acts onlyEdits operands=edits | flags: -q -k
sponge | acts onlyEdits operands=edits | flags: -a
tee | acts onlyEdits operands=edits | flags: -a -i -p --append
truncate | acts onlyEdits operands=edits | flags: -c -o | valued: -s --size | names: -r
chmod,chown,chgrp | acts operands=edits | flags: -R -v -c -f -h --recursive | textFirst: --reference
split | acts lastEdited operands=reads | flags: -d -x | valued: -l -b -C -n -a -t --lines --bytes --additional-suffix | runs: --filter
csplit | acts operands=reads | flags: -s -q -z -k --quiet --silent | valued: -n -b --digits --suffix-format | writes: -f --prefix
patch | acts dashPrints operands=moves | flags: --dry-run -R -N -s -f -u --verbose | valued: -p -F | reads: -i --input | writes: -o --output -d --directory -r
curl | acts dashPrints operands=text | flags: -s -S -f -L -i -I -k -v -g -G -4 -6 -# --silent --show-error --fail --location --include
  --head --insecure --verbose --compressed --get --http1.1 --http2 --no-progress-meter --fail-with-body --no-buffer --globoff --ipv4 --ipv6
  --tlsv1.2 --tlsv1.3 --location-trusted --retry-all-errors --retry-connrefused --create-dirs --basic --digest --path-as-is --progress-bar
  --remote-name --remote-name-all --http1.0 --http3 --tcp-nodelay --parallel --append --list-only -N -Z --raw --anyauth
  --http2-prior-knowledge --fail-early --show-headers --ssl-no-revoke --no-keepalive --ssl-reqd --trace-time | valued: --noproxy
  --max-filesize --speed-limit --speed-time --continue-at -C --tls-max --ciphers --parallel-max -X -H -d -A -e -m -w -u -b -r -F --form
  --data-binary --data-ascii --proxy-header --cookie --request --header --data --data-raw --data-urlencode --url-query --json --user-agent
  --referer --max-time --connect-timeout --max-redirs --limit-rate --proto --oauth2-bearer --retry-max-time --keepalive-time --retry
  --retry-delay --write-out --user --range | reads: -T --upload-file --etag-compare --cacert --capath --cert --key -E --netrc-file | writes:
  -o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --output-dir --stderr --etag-save --libcurl | runs: -K --config --hsts
  --alt-svc -q --engine --proto-default --unix-socket --abstract-unix-socket -x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5
  --socks5-hostname --resolve --connect-to --dns-servers --doh-url --interface -n --netrc --netrc-optional --variable --expand-url
  --expand-data -J --remote-header-name
wget | acts dashPrints operands=text | flags: -q -c -S -nv -np --quiet --continue --no-verbose --spider --no-check-certificate | valued: -T -t -U
  --timeout --tries --user-agent --header | reads: --post-file --body-file --load-cookies --ca-certificate --certificate
  --private-key | writes: -O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file
  --rejected-log | runs: --hsts-file -i --input-file -e --execute --use-askpass --config -r --recursive -m --mirror -x --force-directories -p
  --page-requisites --content-disposition --trust-server-names --default-page -b --background
ssh | acts | flags: -q -v -t -T -n -N -f -A -a -C -4 -6 -x -X -Y -k -K -g -G -V -y -s | valued: -p -l -b -c -m | identifies: -i | runs: -o -F -E -D -L -R -W -J -S -w -I --
scp | acts | flags: -r -p -q -C -v -3 -B -4 -6 -T -A -O -R | valued: -P -c -l | identifies: -i | runs: -o -F -S -D -J -X
sftp | acts | valued: -P | identifies: -i | runs: -o -F -S -D -J -b -s -X
rsync | acts | reads: --files-from --exclude-from --include-from | writes: --log-file
  --partial-dir --backup-dir --temp-dir -T --write-batch --only-write-batch | runs: -e --rsh --rsync-path --read-batch --daemon --config --password-file -M --remote-option -f --filter
  --link-dest --copy-dest --compare-dest
valgrind | acts flagsFirst | flags: -q -v --quiet --verbose | valued: --tool --leak-check --show-leak-kinds --track-origins --error-exitcode
  --num-callers --track-fds --errors-for-leak-kinds --show-reachable --undef-value-errors --trace-children --gen-suppressions --xml --vgdb
  --child-silent-after-fork --time-stamp --read-var-info --keep-debuginfo --leak-resolution --history-level --cache-sim --branch-sim
  --collect-jumps --demangle | reads: --suppressions | writes: --log-file --xml-file --callgrind-out-file --cachegrind-out-file
  --massif-out-file --dhat-out-file
zip | acts firstEdited operands=searches | flags: -r -q -9 -j | runs: -T -TT --test --unzip-command -m --move -@
make | acts | flags: -k -s -B -n -i | attached: -j | names: -C --directory -I --include-dir | reads: -f --file --makefile | runs: --eval -E
npm | acts | names: --prefix -C -w --workspace | runs: --browser --script-shell --node-options --userconfig --globalconfig --git --editor --viewer --shell
  --onload-script --init-module --node-gyp --python
pnpm | acts | names: --dir -C --prefix | runs: --script-shell --node-options --userconfig --globalconfig --config.script-shell --shell
yarn | acts | names: --cwd | runs: --script-shell --node-options --use-yarnrc
bun | acts | names: --cwd | runs: -e --eval -p --print --preload --import -r --require --shell
cargo | acts | names: -C | reads: --manifest-path | edits: --target-dir --out-dir --artifact-dir | runs: --config -Z --git --registry --index
go | acts | names: -C -modfile -pkgdir -outputdir | edits: -o -coverprofile -cpuprofile -memprofile -trace | runs: -exec -toolexec -vettool -fixtool
  --exec --toolexec --vettool --fixtool -overlay -gccgoflags -compiler
unzip | acts noEnd operands=reads | flags: -o -n -l -q -j -v -t -p -u | valued: -x | fills: -d | runs: -:
docker | acts | names: -v --volume --mount | reads: -f --env-file --label-file --file --project-directory | writes: --iidfile --cidfile --metadata-file | fills:
  -o --output | runs: --entrypoint --privileged -H --host --config --cap-add --device --security-opt --pid --ipc --userns --uts --cgroupns --volumes-from
  --context --tlscacert --tlscert --tlskey --allow --ssh --push
dotnet | acts
openssl | acts dashPrints | reads: -in -inkey | writes: -out | runs: -engine -provider-path -provider -config s_client s_server s_time engine -writerand
node | acts | runs: -e -p -i -r --eval --print --interactive --require --import --loader
deno | acts | runs: eval repl
python | acts | runs: -c -i
perl | acts | runs: -e -E -M -m -n -p -i -x -d -I
ruby | acts | runs: -e -r -n -p -i -x -I
php | acts | runs: -r -B -R -E -F -d -S -a --run
lua | acts | runs: -e -l -i
Rscript,osascript | acts | runs: -e
pytest | acts | flags: --pdb --co | valued: -p -k -m --junitxml --junit-xml | runs: -c --pdbcls --confcutdir --rootdir
`);
