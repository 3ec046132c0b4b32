import { remembered } from "@baton/core/text/remembered";
import { homedir } from "node:os";
import path from "node:path";
import { actsForPerson, ownCall } from "./baton-command.ts";
import { emptiesTracked } from "./emptied-folders.ts";
import { isBelow } from "../files/path-on-disk.ts";
import { NEW_SCRATCH } from "../files/scratch-files.ts";
import { nameMatcher, wordSet } from "../tables/name-matcher.ts";
import { aProcess, isCertain, literal, type Word } from "../words/word.ts";

/** The danger of a call, which no rule can override. `doubt`: the reason to ask. `refusal`: the reason to refuse. */
export type Danger = { doubt?: string; refusal?: string };

const DELETES = "deletes a folder with all that is in it";
const DELETES_HOME = "deletes the root or the home folder";

/**
 * Dangerous calls, with `names | pattern | reason` in each row. The pattern is `any`, or it matches one word, or the text of all words. `$` in
 * the reason stands for the name. Without a reason, the call would run or load something else, or reach further than usual.
 */
const ROWS = String.raw`
sudo su doas pkexec runas gsudo gksudo kdesudo sudo-rs gosu su-exec sudoedit run0 please pleaseedit su-rs sudo.ws opendoas ssu super calife passwd chpasswd visudo | any | $ runs with the rights of another user
shutdown reboot halt poweroff init telinit kexec | any | $ stops the machine
mkfs mkfs.* mke2fs mkswap fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm badblocks losetup umount swapon swapoff cryptsetup
  lvremove vgremove pvremove zpool zfs fsck fsck.* e2fsck resize2fs tune2fs xfs_repair nvme dmsetup mdadm efibootmgr grub-install diskutil format.com diskpart shred srm | any | $ changes disks
mount | call: . | $ changes disks
format | call: ^[a-zA-Z]: | $ changes disks
pkill killall skill | word: ^-[a-zA-Z]*[uUgGtsPF]|^--(uid|euid|group|pgroup|session|terminal|parent|ns|user) | $ ends programs by something else than their name
patch | call: ^(?!.*--dry-run) | applies a patch that is known only when it runs
rimraf del-cli trash trash-cli trash-put trash-rm trash-empty rmtrash wipe rip gomi conceal | any | deletes a folder with all that is in it
gio gtrash trashy | call: ^(trash|put)( |$)(?!(-l|--list)( |$)) | deletes a folder with all that is in it
rd erase | word/i: ^/[sqf] | deletes a folder with all that is in it
remove-item ri | word/i: ^-rec | deletes a folder with all that is in it
* | call/i: ^(?!(\S+ )?(start|export)( |$)).*(?<!\S)--(clear|purge|wipe|empty-?out-?dir|output-clean|rm-dist|clean-output|basetemp)(=(?!false|/tmp/)| |$) | may delete all that is in a folder
rustc as gcc g++ cc clang clang++ gcc* g++* clang* c++ c++* cpp cpp* x86_64-* aarch64-* gfortran | word: ^-$|linker=|^--?(wrapper|B|prefix|f(pass-)?plugin|specs|fuse-ld=.*/|ld-path|W[al],(@|.*plugin)|Xlinker|for-linker|load)
latex pdflatex xelatex lualatex tex pdftex | call: \^\^|shell-escape|write18|directlua
javac | word: ^--?(J|Xplugin|processor)
ranlib size tsc java javac gcc* g++* cc clang* cpp* c++* c89 c99 gfortran* as ld* gold objcopy strip addr2line c++filt x86_64-* aarch64-* rustc swiftc
  kotlinc csc msbuild dotnet protoc mypy pytest | word: ^@. | takes flags from a file
knife release-it semantic-release np surge gh-pages git-filter-repo bfg killall5 dropdb dropuser ssh-copy-id cloudflared ngrok | any | publishes, deletes or opens something for others
mkdocs svn electron-builder jib | call: (^| )(-p|--prod|--publish(=\S+)?|commit|ci|import|mkdir|create|apply|up|down|publish|clean|converge|undo|put|instrument|remove|delete\w*|purge|gh-deploy|sync|reconcile|run|rm|rb|stop|rsync .*-\w*d|del|copy|cp|mv|move\w*|submit)( |$) | publishes or deletes
docker podman | call: ^(compose |container )?(run|exec) .*(?<!--env-file[= ]\.)/\.env(?![\w.]*(example|sample|template))\b | may show keys
mix python# manage.py | call: ^(hex\.(?!info|search|docs|outdated)|(archive|escript)\.install|ecto\.(drop|reset)|flush|reset_db)|setup\.py .*upload|^-m (awscli|twine)|manage\.py (flush|reset_db) | publishes or deletes
yq | word: ^\.\S*\*|(^|[^.\w"]|\.\.)((\w*load\w*|env\w*|strenv|include|import|system)\b|eval\s*\(|\$ENV\b)|^(-s|--split|--from-f)
docker-credential-* aws-vault teller kwallet-query pass op lpass bw rbw gopass chamber dotenvx secret-tool keyring | any | shows keys
vault bao consul etcdctl security sops age rage fly flyctl ansible-vault heroku infisical doppler chezmoi gpg gpg2 ssh-keygen | call: ^([^-]\S*\.(gpg|pgp|asc|(enc\.)?ya?ml|(enc\.)?json))?$|^(read|get|print|kv|login|token|find-|dump|export|exec-env|view|decrypt|config|auth|secrets|variables)|(^| )(-\w{0,3}d\w{0,2}|-y|--decrypt|--export-secret\S*|--send-keys?|(print)?env)( |$) | shows or sends keys
strip ranlib indent mlr objcopy sqlite3 cmake | call: (^|[ =])/(etc|usr|opt|s?bin|lib|boot)/ | changes the system
* | call: (^| )-{1,2}(o|O|out(put|file|-file)?)[= ]?(/(etc|usr|opt|s?bin|lib|boot)/|(/root|/(home|Users)/[^/ ]+)/(\.local/|\.cargo/|go/)?bin/) | writes into the folders of the system
ssh | call: (^| )(\S+@)?(localhost|127\.[\d.]+|\[?::1\]?)( |$)|(^|[ ;&|(])(sudo|doas|su|rm -\S*[rR]|shutdown|reboot) | $ runs other programs or services
openssl | call: (^| )(s_client|s_server|s_time|engine)( |$)|(^| )-url[ =] | $ opens connections, or loads code
gzip gunzip bzip2 bunzip2 xz unxz unlzma uncompress zstd unzstd lz4 unlz4 lzip pigz unpigz brotli | call: ^(?!(-[lt]v?|--list|--test)( [^-\s]\S*)+$)(?!.*(^| )(-\w*c|--(to-)?stdout)).*(^| )[^-\s] | makes files under names that are not judged
zip | call: ^(-\S+ )*[^-.\s][^.\s]*( |$) | makes a file with another ending
zcat gzcat bzcat xzcat zstdcat gzip zstd xz | word: ^(-[a-z]*r|--recursive) | takes all files of a folder, also behind links
split csplit pax bsdcpio rename prename file-rename perl-rename rename.ul mmv | any | makes files under names that are not judged
rsync | word: ^--(del|remove) | deletes files
rsync | word: ^-(?!-).*b|^--(suf|backup|link-d) | changes files under names that are not judged
wait | word: ^-\w*p | sets a variable by its name
ps | call: (^| )(-\w*[oO]|--format)[ =]?\S*env|(^| )[afuwxo]*o \S*env | prints the environments of processes
aria2c ctags *-ctags etags cscope gtags | word: ^(-[iL]|--input-file) | takes addresses and names of files from a file
* | word: ^--(file-?list|list-file|files0?-from|path-?list)(=|$)|^--files0?= | takes addresses and names of files from a file
nodemon cargo-watch xmllint socat | word/i: ^(-\w{0,2}[xs]|--exec|--shell)(=|$)|^(exec|system|shell): | $ runs other programs or services
dd | word: ^of=(?!/dev/(null|stdout|stderr|zero)$) | writes to a file or a device
chmod | word: (^|,)[ugoa]*[+=]\w*s\w*|^0?[2-7]\d{3}$ | lets others run a file with the rights of its owner
mv cp truncate tee | word: ^/dev/(sd|hd|vd|nvme|mmcblk|disk|mapper|md|loop|mem|kmem|port) | writes to a device
invoke-expression iex clear-disk format-volume start-process stop-computer restart-computer set-executionpolicy | any | $ can do everything
dpkg | call: ^(?!-[lLsS]( [^-]\S*)*$|((--version|--help|-V|-L|list|show|search|status)( |$))*$) | $ changes the system
iptables iptables-* ip6tables ip6tables-* nft ufw firewall-cmd pfctl sysctl modprobe insmod rmmod tc iw nmcli ifconfig route arptables ebtables
  setenforce useradd userdel usermod groupadd adduser deluser chsh setcap rpm dpkg-reconfigure update-alternatives apt apt-get aptitude yum dnf zypper pacman apk snap
  flatpak | call: ^(?!((--version|--help|-V|-L|list|show|search|status)( |$))*$) | $ changes the system
systemctl loginctl | call: ^(?!(status|is-active|is-enabled|list-\w+)( |$)) | $ runs other programs or services
date hwclock timedatectl hostnamectl | call: ^\d|^-w|--systohc|^set- | changes the system
setsid ionice chrt taskset watch parallel strace ltrace unshare nsenter chroot flock script entr xvfb-run dbus-run-session systemd-run service
  launchctl crontab at batch firejail bwrap proot fakeroot rlwrap expect screen start-stop-daemon daemonize caffeinate cross-env-shell
  unbuffer chronic ifne pee ts sem xe torsocks trickle cpulimit choom schedtool systemd-inhibit setpriv runuser capsh sg newgrp lockf nix-shell
  lxc zellij byobu ld.so ld-linux* concurrently onchange chokidar chokidar-cli husky run-p run-s gdb lldb perf torify
  proxychains# ssh-agent dtach run-parts vi vim nvim view emacs nano pico ed ex busybox toybox setarch linux32 linux64 numactl prlimit cgexec
  catchsegv chpst machinectl systemd-nspawn vim.* c8 nyc forfiles wmic reg schtasks mshta rundll32 regsvr32 cscript wscript certutil bitsadmin msiexec | any | $ runs other programs or services
tmux | call: ^(?!(ls|list-[a-z]+|has(-session)?|display-message|capture-pane|kill-(session|window|pane)|rename-(session|window)|show-options)( |$))|#\(|(^| );|; | $ runs other programs or services
sqlite3 | call/i: \bfile:|(^|[\s;])\.(?!(tables?|schema|headers?|mode|dump|indexes|indices|databases|width|separator|nullvalue|timer|stats|show|help|quit|exit|explain|eqp|echo|changes|print|fullschema|dbinfo|limit|version|bail)\b)[a-z]+\b(?![./])|load_extension|writefile|readfile|\bedit\s*\(|\battach\b|\bvacuum\b.*\binto\b|(^| )--?(init|cmd|A\w*|archive)( |=|$)
journalctl | word: ^--(vacuum|rotate|flush|sync|relinquish|smart-relinquish|setup-keys|update-catalog|cursor-file) | changes the logs of the system
lsof | call/i: @(?!(localhost|[\d.]+|\[[\da-f:]+\])(:|\s|$)) | asks a name server
valgrind | word: %q|^--tool=.*[^\w-]
nix nix-* | word: ^-E$|^--(option|expr|override-\w+|inputs-from|accept-flake-config|[\w-]*(hook|plugin-files|builders|store|substituters|trusted\S*))(=|$)
bat batcat | word: ^--pag\w*(?!=never$)(=|$)
less | call: (^| )\+\S*[!|]
psql pgcli usql | call/i: \\(!|copy|o|out|i|ir|include\w*|gx?|w|write|s|e[fv]?|edit|cd|lo_\w+|setenv)\b|\\!|(to|from)(\s|\/\*.*?\*\/)+program|(^| |=|-o)\||\b(drop|truncate)\s
mysql mariadb | call/i: \\!|(^|[\s;])(system|source) |load_file|outfile|--(page|tee|plugin-dir|init-command|defaults)|\b(drop|truncate)\s
snowsql snow cockroach cqlsh clickhouse-client clickhouse-local clickhouse mycli trino presto sqlcmd beeline hive | call/i: \b(drop|truncate)\s | deletes data
basex xidel saxon zorba | call/i: \b(proc|file|fetch|db|java|system):
mongorestore pg_restore | word: ^(--drop|--clean|-\w*c) | deletes data
virsh | call: ^(undefine|destroy|shutdown|reboot|vol-delete|pool-delete|snapshot-delete)
earthly | call: (^| )--push( |$) | publishes
ko | call: ^(apply|publish|resolve|build|create|run)( |$) | publishes
cpan-upload | any | publishes
lint-staged | call: --config[= ]- | runs commands from its input
plantuml | call: (^| )-o(utput\w*)? ?\.\./ | makes files under names that are not judged
arduino-cli | call: ^burn|^compile (.* )?(-u|--upload)( |$) | writes to a device
pipx | call: ^run (.* )?https?: | runs code from an address
xcrun pod conan spack nix rustup cabal stack rebar3 platformio pio sbt fastlane buildah wp | call: (^|[ ;:-])(altool|notarytool|stapler|simctl (erase|delete)|trunk|remove|remote|upload|gpg|copy|self|report|upgrade|retire|erase|release|supply|produce|pilot|match|commit|search-replace)( |$) | publishes, deletes or changes the machine
mongosh | call: --eval|\.js\b
dc | word: !
make gmake | word: ^\.[A-Z]+$ | runs many tasks
groff troff nroff soelim | call: (^| )-\w*U|^(-\S+ ?)*$
zcat gzip gunzip | word: ^-\w+r
xmllint | word: ^--(noent|xinc|load|dtdv|valid|shell)
nc ncat netcat | call: (^| )(-\w*[ec]|--\w*exec)
redis-cli valkey-cli keydb-cli | call/i: --cluster (?!info|check)|flush(all|db)|config set|eval|--eval|shutdown|debug|slaveof|replicaof
duckdb | call/i: \.(shell|sh|system|output|once|excel|read|open|import|cd|edit)\b|-init|(^| )--?ui( |$)|start_ui|(^|[\s;])(install|load|attach|copy|export|import)\s|read_\w+\s*\(\s*(?!\[?'[^']*'\s*[\],)])
latexmk | call: (^| )-+((pdf|xe|lua|dvi)?latex|e|\w*dvi\w*|ps2pdf|bibtex|biber|makeindex)=|(^| )-[er] | $ runs other programs
pandoc | call: (^| )(--lua\w*|--fil\w*|-\w*[FLd]|--defaults|--pdf-engine|--extract-media|https?:)|\.lua\b
ffmpeg | call: (^| )(\w+:(?!\w)|\w+:\/\/|concat:|file:|async:|https?:|-report|-f concat|subfile:|-dump_attachment|-protocol_\w+)|textfile=|\b(ladspa|frei0r|lv2|dnn_\w+|opencl\w*)=
exiftool | call/i: (^| )-(if|config|w|execute|p|printformat|api|@)\d*( |=|$)|<[^ ]*\$\{
deno | call: (^|^-q )(install|repl|upgrade|publish|eval)( |$)|(^| )data:|(^| )(-A |--allow-all |--allow-run )?(https?:|npm:|jsr:)| --eval( |$)| -$
cargo | call: ^\+\S*\/|^clean .*--target-dir| -C ?(linker|link-arg|runner)|^watch (.* )?(-s|--shell)
go | call: -ext(ld|ldflags)|-linkmode[= ]external|flags[= ]@|^env (.* )?--?[wu]([ =]|$)|^telemetry (on|off)|^(run|install) (.* )?(\S+@\S+|https?:\S*)
kubectl | call/i: (columns|template|path)-?file=|(^| )(-\w*o|--output)[= ]?[^= ]*[$\x60*]
gh | call: (^| )(-\w*R|--repo)[= ]?=?"?(\w+:|\S*@|[^ /]+\/[^ /]+\/|[$\x60])
gh | call: (^| )(-q|--jq)[= ].*((?<![.\w"/-])env(?![\w:=/-]|\s*:)|\$ENV\b) | prints variables of the environment
gh glab | call: ^(pr|mr) ((-R|--repo)[= ]?\S+ )?(co|checkout) (.* )?(-f\w*|--force)( |=|$) | may lose commits of a branch
glab | call: (^| )(-\w*R|--repo)[= ]?=?"?(\w+:|\S*@|[$\x60])|(^| )https?:(?!\/\/gitlab\.com\/)
terraform | call: -from-module|-plugin-dir|^(output|show) .*-(raw|json)|^output( -\S+)* [^-]|^providers (lock|mirror)|-(migrate-state|force-copy)
prisma | call: --(force-reset|accept-data-loss)
uv bun | call: ^run (.* )?(-( |$)|(-w ?|--with[\w-]*[= ])(?!(pytest|ruff|mypy|black|requests|httpx|rich|numpy|pandas)(?=[=<>~! ]|$)))
pytest | call: (^| )(-[vqsxhl]*p(?! ?(no:|xdist|randomly|pytest_))|-[vqsxhl]*o[ \w]|--override-ini|--doctest-glob(?!=\S*\.(rst|md|txt|pyx?)( |$))|--pastebin|--pyargs|--tx|--px|--rsync)
eslint prettier stylelint | call: (^| )--(init( |$)|plugin[= ]\.{0,2}\/|plugin-search|resolve-plugins)
uv | call: ^(?!(tool )?run )(.* )?(-p|--python)[= ]?(?!\S*(bin|Scripts)/py(thon|py)\S*( |$)|\S*venv\S*( |$))\S*(/|\.\w*[a-z])|^(tool )?run (--(with\S*|group|extra|directory|project|package|env-file|index\S*) \S+ |-(?!-(with|group|extra|directory|project|package|env-file|index))\S+ )*(-p|--python)[= ]?(?!\S*(bin|Scripts)/py(thon|py)\S*( |$)|\S*venv\S*( |$))\S*(/|\.\w*[a-z])
aria2c | word: ^--(on-|conf)
dx | word: ^(npm|jsr|https?):
hg chg sl but gt | call: ^(-\S+ ([^-]\S* )??)*(abandon|discard|strip|purge|clean|rollback|restore|op(eration|log)? (restore|revert|abandon)|revert (.* )?(-\w*a|--all)|(goto|go|update|up|checkout|co) (.* )?(-\w*C|--clean)|(repo )?(sync|delete|dl) (.* )?(-\w*f\w*|--force))( |$) | throws away changes
jj | call: ^(-\S+ ([^-]\S* )??)*(config (set|edit|unset)|git remote (?!list))( |$|\w) | changes the settings of the repository
scalar | call: ^(?!(list|version|diagnose|help)( |$)) | changes the settings of the repository
dotnet vstest vstest.console | word/i: LogFile(Name|Prefix|Path)=\S*\.\. | makes files under names that are not judged
uv | call: ^venv (.* )?-\w*c | may delete all that is in a folder
direnv | call: ^(allow|permit|grant) | lets a file of the workspace run
mise rtx | call: ^((-C|--cd|-E|--env|-j|--jobs) \S+ |-\S+ )*(trust|use|u|unuse|(un)?set|local|fmt|edit|implode|link|init|(config|cfg|settings?|alias|tool-alias|shell-alias) (set|add|unset|rm|\S+=\S*|\S+ [^-])|(up|upgrade) (.* )?(-\w*l|--bump)|(t|tasks?) (add|edit)|(p|plugins?) (add|a|install|i|link)|(g|generate|gen) (.* )?(-\w*w\w*|--write))( |=|$) | changes which programs run
mise rtx asdf devbox pixi | call: ^(trust|use|unuse|set|unset|local|add|remove|init)( |$) | changes which programs run
bundle rails | call: (^| )(--path|--binstubs|--standalone|--deployment|--without|--with|--system|devcontainer)( |=|$)|^config set | changes which programs run
npm | call: ^c(onfig)? get .*(auth|token|password) | shows keys
pnpm | word: ^--(config\.|(global-)?pnpmfile)
pulumi | word: ^--show-secrets | shows keys
supabase | call: ^stop .*--no-backup | deletes data
yarn pnpm | call/i: ^config (list|get .*(auth|token|password)) | shows keys
lefthook pre-commit husky claude codex dvc nbdime overcommit nbstripout | call: ^(install|init|autoupdate|config-git|try-repo|--install|mcp (add|remove))( |$) | changes which programs run
* | word: ^--(update|write)-crontab | changes which programs run
mvn | call: expression=(?!project\.)
mypy | call: --install-types|--python-executable
kustomize kubectl | call: LoadRestrictionsNone
ghc | word: ^-e$
vagrant | call: ^(?!(status|global-status|validate|version|port|box list)( |$)) | $ runs other programs or services
cdk | word: ^(-[a-zA-Z]*a|-p|--(app|plugin|build))
ctest | call: (^| )(-T|-D|--test-action|--dashboard)[= ]?\w*Submit | publishes results
ctest | word: ^--(build-(and-test|makeprogram|generator|options)|test-command|script)|^-SP?$
fastlane | call: ^((ios|android|mac|run) )?(beta|pilot|supply|deliver)( |$) | publishes
expo eas | call: ^(publish|submit)( |$) | publishes
cypress | word: ^--record$ | publishes results
cargo | call: ^tarpaulin .*--(coveralls|report-uri) | publishes results
playwright | call: ^install-deps|--with-deps | changes the system
cmake | call: ^--install (?!.*--prefix[= ](\.?\w|/tmp/)) | changes the system
cmake | call: (^| )-(P|E(?! (make_directory|echo|cat|compare_files|capabilities|\w+sum)))( |$)| SHELL=|(^| )-D ?(?!(CMAKE_(BUILD_TYPE|EXPORT_COMPILE_COMMANDS|CXX_STANDARD|C_STANDARD|INSTALL_PREFIX|POSITION_INDEPENDENT_CODE|UNITY_BUILD|VERBOSE_MAKEFILE|COLOR_\w+)|(?!CMAKE_|\w*(EXECUTABLE|PROGRAM|COMMAND|COMPILER|LAUNCHER))\w+)(:\w+)?=[\w.+-]*( |$))
just | call: (^| )(--shell|--command|-c|-f|--justfile)( |=)
rake | call: (^| )(-\w*[eErp]\S*|--execute\S*|--require)( |=|$)
cpio | call: (^| )(-\w*[oip]|--create|--extract|--pass)
install | call: --strip-p|(^| )/(dev|proc)/|(^| )-\w*d\w* |(^| )-\w*m ?(0?[2-7]\d{3}|\S*s)|(^| )-\w*[og]
jest | call: (^| )--config[ =]?\{
mktemp | call: -p ?\/|--tmpdir=\/|^(?=.*--su)(.* )?(?!\/tmp)[^- ]\S*\/\S*X
php | call: ^(\S*artisan )?(?!-\w?[vlim]\b)-\w*[zdcS]|(^| )(tinker|--(process-\w+|define|server|run)\S*)( |=|$)
tcpdump | call: (^| )-[a-zA-Z]*z|--postrotate-command
tshark | call: (^| )-X|-z\s
7z | call: (^| )-o(\/|\.\.|~)|(^| )-so( |$)
convert magick identify mogrify composite montage | call/i: (^| )(\||-script|-write|\w+:@|(?!(png|jpe?g|gif|webp|bmp|tiff?|pdf|svg|ico|xc|canvas|gradient|pattern|null|rose|logo|label|caption|histogram|plasma|radial-gradient|mpr|miff|ppm|rgba?):)[a-z]\w*:)
docker podman | call: ^(compose |image )?push( |$)|^((buildx|image|builder) )?build .*--push|^(login|logout|plugin|swarm|service|stack|secret|config|trust|manifest push)( |$)|(^| )(-o|--output)[= ]?\S*(type=(?!local|tar|docker|oci)|push=) | publishes, or changes accounts or a cluster
docker podman | call: ^(system|volume|image|container|builder|network|buildx) (prune|rm)( |$)|^buildx rm|^compose (.* )?(down|rm) (.* )?(-v|-[a-z]*v[a-z]*|--volumes)( |$)|^(container )?rm (.* )?-\w*v | deletes what containers keep
docker podman | call: ^context (use|create|import|export|update|rm)( |$)|^(-c|--context)[ =] | talks with another machine
docker podman | call: ^(container )?(run|create) (.* )?--(net|network)[= ](\S*name=)?(host|container)|^(container )?(run|create) (.* )?--mount[= ]\S*volume-opt|docker\.sock | gives the network, a folder or the daemon of the machine to a container
docker podman | call: ^((buildx|image|builder) )?(build|bake) (.* )?((https?|git|ssh):|git@|(?<!(-t|--tag)[= ])github\.com/)|^compose (.* )?(-f|--file)[= ]?((https?|ssh|oci):|git@|github\.com/)|^(image )?(load|import) | takes what it builds or starts from another place
docker podman | call: ^((buildx|image|builder) )?build (.* )?--(secret|build-context|output)[= ]\S*[=,]?(src|source|dest|\w+)=(/|\.\.|~|\S*\.env)|^((buildx|image|builder) )?build (.* )?(/|\.\.)\S*$ | hands over files from outside
docker podman | call: ^((buildx|image|builder) )?build (.* )?-( |$)|^compose (.* )?-f -( |$) | builds or starts what comes in as its input
curl | word/i: ^(-{0,2}\w*=)?(file:|fil?e?[{[]) | reads a file by its address
curl | word/i: (^|[/@.])(169\.254\.|metadata\.google|100\.100\.100\.200|\[?fd00:ec2) | asks the machine's own metadata service
curl | word/i: ^(?:--url=)?(?!https?:|ftps?:|wss?:)[a-z][a-z+.-]+:// | speaks another protocol than http
mlr | call: \b(system|exec)\s*\(|\b(tee|print\w*|emit\w*|dump)\b[^;}]*[>|] | runs programs or writes files that its text names
awk gawk | word: ^/inet | opens a network connection
ansible ansible-playbook ansible-pull | call: ^(?!.*--(check|syntax-check|list|version|help)) | changes other machines
curl | word: %output\{ | writes to a file that its format names
git | call: (^| )(add|commit) (.* )?--pathspec-from-f | takes the names of files from a file
git | call: ^(hash-object|update-index|checkout-index) (.* )?--stdin | takes the names of files from its input
xgettext | word: ^(-f|--files-from) | takes the names of files from a file
xz lzma unxz unlzma xzcat lzcat | word: ^--files | takes the names of files from its input
make gmake | call: (^| )(-\S* |-f|--(make)?file=)(-|/dev/(stdin|fd/\d+)|/proc/self/fd/\d+)( |$) | reads its rules from its input
make gmake | word: ^(SHELL|\.SHELLFLAGS|MAKE\w+|MFLAGS|PATH|(BASH_)?ENV|LD_\w+|GIT_\w+|PYTHON\w+|\w+_OPTIONS|PERL5\w+|RUBYOPT)\s*[:?+!]*=|^[^-=][^=]*(!=|=.*[/\s\x60$]) | may run something else through a variable
`;

type ListedDanger = { isProgram: (name: string) => boolean; isDangerous: (words: readonly string[]) => boolean; why: string };

const DANGERS = ROWS.trim()
  .split(/\n(?! )/)
  .map((row): ListedDanger => {
    const [names = "", pattern = "", why = "$ would run or load something else"] = row.replaceAll(/\n +/g, " ").split(" | ");
    const [, part, flags, source = ""] = /^(word|call)(?:\/(i))?: (.*)$/.exec(pattern) ?? [];
    const form = new RegExp(source, flags);
    const isDangerous = (words: readonly string[]) =>
      part === "word" ? words.some((text) => form.test(text)) : form.test(words.join(" "));
    return { isProgram: nameMatcher(names), isDangerous, why };
  });

const dangersOf = remembered((name) => DANGERS.filter(({ isProgram }) => isProgram(name)));

/** Returns why a call is dangerous, if a row of the table says so. `docker-compose up` means `docker compose up`. */
function listedDanger(name: string, words: readonly Word[]): string | undefined {
  const texts = words.map(({ text }) => text);
  if (/^(docker|podman)-compose$/.test(name))
    return listedDanger("docker", texts[0] === "compose" ? words : [literal("compose"), ...words]);
  return dangersOf(name)
    .find(({ isDangerous }) => isDangerous(texts))
    ?.why.replace("$", name);
}

/** Returns the danger of a call. Finds it by the well-known name of the program and by the words. */
export function dangerOf(name: string, words: readonly Word[], cwds: readonly string[], home: string): Danger {
  const lower = name.toLowerCase();
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text));
  const own = ownCall(lower, words);
  if (own && actsForPerson(own)) return { doubt: "answers for a person, or changes what Baton allows" };
  if (/^(rm|rmdir|unlink|del)$/.test(lower)) return deleting(lower, words, cwds, home);
  const listed = listedDanger(lower, words);
  if (listed !== undefined) return { doubt: listed };
  if (emptiesTracked(lower, words, cwds)) return { doubt: DELETES };
  if (lower === "dd" && words.some(({ kind }) => kind === "open")) return { doubt: "writes to a device" };
  if (lower === "find" && has(/^-delete$/) && words.some((word) => isEverything(word, cwds, home))) return { refusal: DELETES_HOME };
  const isRecursive = has(/^-\w*R|^--rec/);
  if (lower === "chmod" && isRecursive && has(/^0?[0-7]?[0-7][2367]$|(^|,)([ug]*[ao][ugoa]*)?[+=]\w*w/))
    return { doubt: "lets everybody write below a folder" };
  if (/^(chmod|chown|chgrp)$/.test(lower))
    return isRecursive && words.some((word) => isEverything(word, cwds, home))
      ? { doubt: "changes the rights of the system or the home folder" }
      : {};
  if (lower === "kill" && words.some((word) => !isCertain(word) && word.kind === "literal" && !word.text.includes(aProcess.text)))
    return { doubt: "ends processes by a number that it computes" };
  if (/^(killall|pkill)$/.test(lower) && has(/^[.*+?^$|()]*$/)) return { doubt: "ends all programs" };
  if (/^(kill|killall|pkill)$/.test(lower) && has(/^[-+]?0*1$|^0+$/) && (lower === "kill" || has(/^-(9|KILL|SIGKILL|s|TERM|15)$/)))
    return { doubt: "ends all programs" };
  if (lower === "mv" && words.slice(0, -1).some((word) => isEverything(word, cwds, home)))
    return { refusal: "moves the root or the home folder away" };
  return {};
}

function deleting(name: string, words: readonly Word[], cwds: readonly string[], home: string): Danger {
  if (name === "del" || words.some(({ text }) => /^\/s$|^-rec/i.test(text))) return { doubt: DELETES };
  const isRecursive = words.some(({ kind, text }) => kind !== "open" && (/^-[a-zA-Z]*[rR]/.test(text) || /^--r(e(c(u.*)?)?)?$/.test(text)));
  if (!isRecursive) return words.some(({ text }) => /^(\.\/)?(\*+\/)*\*+$/.test(text)) ? { doubt: "deletes all that is in a folder" } : {};
  if (words.some((word) => isEverything(word, cwds, home))) return { refusal: DELETES_HOME };
  const named = words.filter(({ text }) => !/^-\w+$/.test(text));
  if (named.length > 0 && named.every(({ text }) => path.normalize(text) === NEW_SCRATCH)) return {};
  return { doubt: DELETES };
}

/** True for the root, the home folder, a folder above it, a system folder, or all entries of one of these. */
function isEverything(word: Word, cwds: readonly string[], home: string): boolean {
  if (word.kind === "open") return /^(["']?\$\{?(HOME|USERPROFILE)\}?["']?\/?(\*|\.)?|~\w*\/?\*?)$/.test(word.text);
  const text = word.text.replace(/\/(\*|\.\*|\{\*,\.\*\}|\*\*|\.\[\?\]\*)\/?$/, "/");
  if (text.startsWith("-")) return false;
  const places = text === "*" ? cwds : cwds.map((cwd) => path.resolve(cwd, text === "" ? "/" : text));
  return places.some((place) => isBelow(home, place) || isBelow(homedir(), place) || SYSTEM.has(place));
}

const SYSTEM = wordSet(`/bin /boot /dev /etc /home /lib /lib64 /opt /proc /root /sbin /srv /sys /usr /var /usr/bin /usr/lib /usr/local
  /Users /System /Library /Applications /Volumes /private /mnt /media`);
