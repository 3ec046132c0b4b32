type Random = (below: number) => number;

/** Words that a statement may use as text, a file or a value. `X` is a command that leaves a mark, and `V` is a variable. */
const WORDS: readonly string[] = [
  "README.md", "src/a.ts", "secrets/db.txt", "protected/x.txt", "a", "1", "-v", "''", '"$V"', "$V", '"${V}"', '"${V[0]}"', '"${V[@]}"', "${V:-X2}",
  '"${V:-README.md}"', '"${V%.ts}.ts"', "${V#a}", "${V/a/b}", '"${V[@]/a/$(X)}"', '"${V[@]:0:1}"', '"${V:0:$V}"', "${V:a[1]}", "${#V}", "${!V}", "${!V@}", "${V@P}",
  "${V@Q}", "${V@A}", "${V[*]@E}", "${V:=secrets/db.txt}", "${V:+$(X)}", '"${V?$(X)}"', "$(X)", "`X`", '"$(X)"', "<(X)", ">(X)", "$((V))", "$((V[0]))",
  "$((1+$V))", "$((V=1))", "$((V++))", "$[V]", "$((a[$(X)]))", "$((V?1:2))", "$((16#f))", "{a,b}", "src/{a,b}.ts", "{secrets/db.txt,a}", "{1..2}", "$V{a,b}", "{,x}$V",
  "~", "~/x", "~+", "~-/x", "''~", '$"a"', "$'\\x73ecrets/db.txt'", "$'a\\nb'", "$'\\101'", "*", "src/*", "sec*/*.txt", "[sp]*/x.txt", "?(a)", "@(secrets)/db.txt", "!(a)",
  "'a[$(X)]'", "'$(X)'", "a\\\nb", "a#b", "\\#b", "#b", "$#", "$?", "$@", '"$@"', "$*", "$1", '"$1"', "${1}", '"${1:-x}"', "$10", "$_", "$-", "$0", "$PWD/a", "$HOME", "$OLDPWD",
  "V=1", "--", "-n", "'x y'", "secr\\ets/db.txt", "\"secrets\"/db.txt", "secrets//db.txt", "link/../secrets/db.txt", "$(echo secrets)/db.txt", "$(pwd)/a",
  "$(basename secrets/db.txt)", "$(dirname secrets/db.txt)/db.txt", '"$(cat README.md)"', "$(printf %s secrets/db.txt)", "$(<README.md)", "$(<secrets/db.txt)",
  "outlink/outside.txt", "/dev/stdin", "/dev/fd/3", "-", "/dev/null", "{V}", 
];
const NAMES: readonly string[] = ["cat", "echo", "head", "touch", "rm", "cp", "tee", "wc -l", "ls", "mkdir -p", "sort", "grep x", "test", "[", "printf %s", "f", "g", "cat -", "printf", "true"];
const VARS: readonly string[] = ["x", "y", "i", "list", "A", "PATH", "IFS", "PS4", "PROMPT_COMMAND", "GLOBIGNORE", "HOME", "PWD", "BASH_ENV", "_", "REPLY", "CDPATH", "RANDOM", "OPTIND", "f"];
const SIMPLE: readonly string[] = [
  "N W", "N W W", "N W", "N W W W", "N W R", "R N W", "N W R R", "V=W", "V=W", "V=W", "V=W V=W", "V=(W W)", "V=(W W)", "V+=W", "V[0]=W", "V[W]=W", "V=([W]=W)", "V=W N W", "V= N W",
  "f W", "g W W", "f", "eval 'N W'", 'eval "N W"', "source W", ". W", "exec 3>W", "exec 3<W", "exec 4<>W", "exec 3>&1", "exec {V}>W", "exec >W", "exec N W", "exec -a W N W",
  "coproc N W", "read -r V", "read V <<< W", "read -r V V < W", "read -a V <<< W", "read -p W V", "IFS=W read -r V <<< W", "mapfile -t V < W", "mapfile -C W -c 1 V < W", "mapfile -t V < <(C)", "printf -v V W", "printf W W",
  "declare -n V=V", "declare V=W", "declare -a V=W", "declare -i V=W", "local V=W", "local -n V=V", "typeset V=W", "readonly V=W", "export V=W", "export V", "unset V", "set -x", "set -- W W", "set -e", "set -f", "set -u", "set -o W", "set +e", "shift",
  "shopt -s extglob", "shopt -s nullglob", "shopt -s globstar", "shopt -s expand_aliases", "shopt -u W", "enable -f W V", "enable -n N", "hash -p W N", "alias N='N W'", "alias f=N", "bind -x '\"a\": N W'",
  "complete -C W N", "compgen -C W", "compgen -W W", "compgen -F f", "compgen -f W", "fc -s", "fc -l", "history -r W", "history -w W", "history -s W", "time N W", "time -p N W", "! N W", "! ! N W", "command N W", "command -p N W", "command -v N", "command -V W", "builtin N W",
  "type W", "type N", "trap 'N W' EXIT", "trap 'N W' ERR", "trap 'V=W' DEBUG", "trap 'N W' INT", "trap - EXIT", "wait", "wait -n -p W", "kill -0 W", "exit W", "return W", "cd W", "cd W", "cd src", "cd secrets", "cd ..", "cd -", "cd -P W", "pushd W", "pushd src", "popd", "cd -- W", "pushd +1",
  "env N W", "env V=W N W", "timeout 1 N W", "nice N W", "nohup N W", "xargs N W", "xargs -I{} N {}", "bash -c 'N W'", 'bash -c "N W"', "bash -c 'N \"$1\"' a W", "bash -c 'N $0' W", "sh -c 'N W' W W", "bash <<< W", "bash W", "[[ W == W ]]", "[[ -v V[W] ]]", "[[ W -eq W ]]", "[[ -f W ]]", "[[ W =~ W ]]", "[[ -n W && -z W ]]",
  "[ W = W ]", "[ -f W ]", "[ W W ]", "[ -n W -a W ]", "test W W W", "((V=W))", "((V++))", "((V=1))", "let V=W", "let V=1", "getopts W V", ": W", ": ${V:=W}", "N W <<< W", "N <<E\nW\nE", "N W <<'E'\n$(X)\nE", "N <<-E\n\tW\n\tE", "N 3<W <&3", "N W >&3", "N W >&V", "N W >&$V", "N <&3", "N W &>W", "N W 2>&1", "N W >|W", "N W <>W", "N W >>W", "N W {V}>W", "N W # c W",
  "N \\\nW", "N W\\\nW", "N W;:", "N W &", "N W & wait", "X", "umask 0", "ulimit -n", "ulimit -f 0", "dirs", "jobs", "find W -exec N W {} \\;", "find . -name W -exec N {} +", "ln -s W W", "cp W W", "mv W W", "touch W", "mkdir W", "git ls-files | xargs N", "git ls-files | while read -r V; do N \"$V\"; done", "find src -name '*.ts' | while read V; do N $V; done", "sed -i s/x/y/ W", "sed -n W W", "awk '{print}' W", "cat W | while read -r V; do C; done", "seq 1 2 | while read -r V; do C; done", "dd if=W of=W", "tar cf W W", "sort -o W W", "V=$(C)", "V=$(C) N W", "V=`C`", "/dev/tcp/127.0.0.1/9", "N W > /dev/tcp/127.0.0.1/9", "exec 3<>/dev/tcp/127.0.0.1/9", "cat < /dev/udp/127.0.0.1/9",
];
const COMPOUND: readonly string[] = [
  "( C )", "( C; C ) R", "{ C; }", "{ C; C; } R", "C && C", "C || C", "C && C || C", "C | C", "C |& C", "C | C | C", "C &", "if C; then C; else C; fi", "if C; then C; fi R", "while C; do C; break; done", "until C; do C; break; done", "for V in W W; do C; done", "for V in W; do C; C; done", "for V; do C; done",
  "for V in \"${V[@]}\"; do C; done", "for ((i=0; i<2; i++)); do C; done", "for ((V=W; V<W; V++)); do C; done", "select V in W; do C; break; done", "case W in W) C;; *) C;; esac", "case W in a|W) C;& W) C;; esac", "case W in (a) C;;& *) C;; esac", "f() { C; }", "f() { C; C; }", "g() { C; }", "f() ( C )", "function f { C; }", "f() { C; } R", "f() { V=W; C; }", "f() { local V=W; C; }", "g() { f \"$1\"; C; }",
  "N() { C; }", "coproc V { C; }", "time { C; }", "! { C; }", "eval \"C\"", "trap 'C' EXIT", "bash -c 'C'", "cat <(C) W", "C > >(C)", "C 2> >(C)", "echo $(C)", "echo \"$(C; C)\"", "N W <<E\n$(C)\nE", "[[ -n $(C) ]]", "(( $(C) ))", "C;C", "C # x\nC", "C\nC", "C <<E && C\nW\nE", "C \\\n&& C", "f; f() { C; }", "f() { C; }; f W; f W", "g() { C; }; g W W", "V=W; C", "V=W; C; C", "V=(W W); C", "for V in W W; do C; done; C", "cd W && C", "cd src; C", "(cd secrets && C); C",
];
const REDIRECTS: readonly string[] = ["> W", ">> W", "< W", "2> W", "&> W", ">| W", "<> W", "3> W", "< <(C)", "> >(C)", "<<< W", "2>&1", ">&2", "<&3", "3<&0", "{V}< W", "> $V", "> \"$V\"", "< $V", ">& W", "> src/made", "< secrets/db.txt", "> /dev/null"];
const MARKS: readonly string[] = ["./hidden", "touch made", "touch protected/x.txt", "cat secrets/db.txt", "./nice", "rm README.md"];

/** A shell program of two to five statements, each up to `depth` levels deep. */
export function randomProgram(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const own = [pick(["x", "y", "i", "list"]), pick(["x", "y", "list", "A"]), pick(VARS)];
  const fill = (template: string, depth: number): string =>
    template.replaceAll(/(?<![A-Za-z_{$"'-])X2|(?<![A-Z_a-z])(?:[NWVRXC])(?![A-Za-z_])/g, (kind) => {
      switch (kind) {
        case "N": return pick(NAMES);
        case "W": return fill(pick(WORDS), depth);
        case "V": return random(8) === 0 ? pick(VARS) : pick(own);
        case "R": return fill(pick(REDIRECTS), depth - 1);
        case "X": case "X2": return pick(MARKS);
        default: return statement(depth - 1);
      }
    });
  const statement = (depth: number): string => (depth > 0 && random(2) === 0 ? fill(pick(COMPOUND), depth) : fill(pick(SIMPLE), Math.max(depth, 1)));
  return Array.from({ length: 2 + random(4) }, () => statement(2)).join(pick(["; ", "\n", "; ", "\n", " && "]));
}
