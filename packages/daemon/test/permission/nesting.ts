/** Numbers from a seed, so that a failed case can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Ways to put one command into another that bash understands. `X` is the inner command. */
const WRAPPERS: readonly string[] = [
  "X",
  "ls; X",
  "ls && X",
  "false || X",
  "ls | X",
  "X | cat",
  "X &",
  "(X)",
  "{ X; }",
  "! X",
  "time X",
  "if X; then ls; fi",
  "if true; then X; fi",
  "if false; then ls; else X; fi",
  "while X; do break; done",
  "until X; do break; done",
  "for i in 1; do X; done",
  "case a in a) X;; esac",
  'echo "$(X)"',
  "echo $(X)",
  "echo `X`",
  'echo "a `X` b"',
  "cat <(X)",
  "ls > >(X)",
  "echo ${none:-$(X)}",
  'echo "${none:-$(X)}"',
  "cat <<END\n$(X)\nEND",
  'cat <<< "$(X)"',
  "a=$(X)",
  "a=$(X) ls",
  "ls $(X) a",
  '[ -n "$(X)" ]',
  "[[ -n $(X) ]]",
  "env X",
  "timeout 5 X",
  "nice X",
  "nohup X",
  "command X",
  "exec X",
  "bash -c 'X'",
  'bash -c "X"',
  "sh -c 'X'",
  "eval 'X'",
  "eval X",
  "f() { X; }; f",
  "echo a | xargs -I{} X",
  "find . -maxdepth 0 -exec X \\;",
  "trap 'X' EXIT",
  "coproc X",
  "echo $((1 + $(X; echo 1)))",
  "ls # c\nX",
  "ls \\\n; X",
  "echo 'a'\"$(X)\"b",
  "select_none=1; X",
  "set -e; X",
  "cd . && X",
  "echo ${a:=$(X)}",
  "b=(x $(X))",
  "echo {a,$(X)}",
  "echo {a,{b,`X`}}",
  "echo [a$(X)]*",
  "echo ~$(X)",
  "echo ${none/$(X)/b}",
  "PWD=a; echo ${PWD#$(X)}",
  "echo ${PWD:$(X)0}",
  "echo $[1+$(X; echo 1)]",
  "((a=$(X; echo 1)))",
  "case $(X) in a) ls;; esac",
  "case a in $(X)) ls;; esac",
  "for i in $(X); do ls; done",
  "ls > a$(X)",
  '{ ls; } > "b$(X)"',
  "a[$(X; echo 1)]=1",
  "declare b=$(X)",
  'echo $"$(X)"',
  "[[ a == $(X) ]]",
  "[[ a =~ $(X) ]]",
  "echo a$(X)b > /dev/null 2>&1",
  "ls <<< a$(X)",
  "printf %s $(X)",
  "test -f $(X)",
  "git -c alias.x='!X' x",
  "sort --compress-program=$(X) /dev/null",
  "ls <<'END'\n$(no)\nEND\nX",
  "bash -c $'ls #\\\nX'",
  "trap -- '-; X' EXIT",
  "x='a[$(X)]'; echo \"$\\\n((x))\"",
  "x='$(X)'; echo $\\\n{x@P}",
];

/** Ways to write the name of the hidden program. */
const NAMES: readonly string[] = [
  "hidden",
  "hid\\den",
  "'hidden'",
  '"hidden"',
  "hid''den",
  "$'hidden'",
  "hid\\\nden",
  "$'\\x68idden'",
  "h{idden,} ",
  "$(echo hidden)",
  "./bin/hidden",
];

/** A command that nests the hidden program up to `depth` times. */
export function nested(random: (below: number) => number, depth: number): string {
  let command = `${NAMES[random(NAMES.length)] ?? "hidden"} ${random(3)}`;
  for (let i = random(depth) + 1; i > 0; i--) {
    const wrapper = WRAPPERS[random(WRAPPERS.length)] ?? "X";
    command = wrapper.split("X").join(command);
  }
  return command;
}

/** Signs that change how the shell reads what is around them. */
const SIGNS = [
  "\\\n",
  "\\\n",
  "\\\n",
  "$",
  "\\",
  "'",
  '"',
  "\n",
  "#",
  "`",
  "(",
  ")",
  " ",
  "!",
  "-",
  "[",
  "{",
  "}",
  ";",
  "&",
  "|",
  "<",
  ">",
  "=",
  "~",
  "*",
];

/** A nested command with up to two signs at any position, if `random` says so. */
export function nestedWithSigns(random: (below: number) => number, depth: number): string {
  let command = nested(random, depth);
  for (let i = random(3); i > 0; i--) {
    const at = random(command.length + 1);
    command = command.slice(0, at) + SIGNS[random(SIGNS.length)] + command.slice(at);
  }
  return command;
}
