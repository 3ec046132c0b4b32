import type { CommandInfo, OptionInfo } from "./command-tree.ts";

const shells = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof shells)[number];

/**
 * The completion script of a shell for all commands, options and choices. For names that change, such as those of sessions, the script asks
 * `baton complete`, which never starts a daemon.
 */
export function completionScript(shell: CompletionShell, tree: readonly CommandInfo[]): string {
  switch (shell) {
    case "bash":
      return bash(tree);
    case "zsh":
      return zsh(tree);
    case "fish":
      return fish(tree);
  }
}

const words = ({ options, subcommands }: CommandInfo): string[] => [
  ...subcommands.map(({ name }) => name),
  ...options.flatMap(({ names }) => names),
];

/** A word in single quotes for every shell here. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const withChoices = (tree: readonly CommandInfo[]): { command: CommandInfo; option: OptionInfo }[] =>
  tree.flatMap((command) => command.options.filter(({ choices }) => choices.length > 0).map((option) => ({ command, option })));

/** The options whose value names something, as `command option`, with what it names. */
const withKinds = (tree: readonly CommandInfo[]): { patterns: string; kind: string }[] =>
  tree.flatMap(({ words: path, options }) =>
    options.flatMap(({ names, kind }) =>
      kind === undefined ? [] : [{ patterns: names.map((name) => quote(`${path.join(" ")} ${name}`.trim())).join("|"), kind }],
    ),
  );

const withArguments = (tree: readonly CommandInfo[]): { path: string; kind: string }[] =>
  tree.flatMap(({ words: path, argumentKind }) => (argumentKind === undefined ? [] : [{ path: path.join(" "), kind: argumentKind }]));

function bash(tree: readonly CommandInfo[]): string {
  const lists = tree.map((command) => `    ${quote(command.words.join(" "))}) list=${quote(words(command).join(" "))} ;;`);
  const choices = withChoices(tree).map(
    ({ command, option }) =>
      `    ${option.names.map((name) => quote(`${command.words.join(" ")} ${name}`.trim())).join("|")}) COMPREPLY=($(compgen -W ${quote(option.choices.join(" "))} -- "$current")); return ;;`,
  );
  return `# bash completion for baton. Load it in ~/.bashrc: eval "$(baton completion bash)"
_baton() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word list="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case " $(_baton_subcommands "$path") " in
      *" $word "*) path="\${path:+$path }$word" ;;
    esac
  done
  case "\${path:+$path }\${COMP_WORDS[COMP_CWORD - 1]}" in
${[...choices, ...withKinds(tree).map(({ patterns, kind }) => `    ${patterns}) _baton_names ${kind}; return ;;`)].join("\n")}
  esac
  if [[ "$current" != -* ]]; then
    case "$path" in
${withArguments(tree)
  .map(({ path, kind }) => `      ${quote(path)}) _baton_names ${kind}; return ;;`)
  .join("\n")}
    esac
  fi
  case "$path" in
${lists.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
_baton_names() {
  COMPREPLY=($(compgen -W "$(baton complete "$1" 2>/dev/null | cut -f1)" -- "$current"))
}
_baton_subcommands() {
  case "$1" in
${tree.map(({ words: path, subcommands }) => `    ${quote(path.join(" "))}) echo ${quote(subcommands.map(({ name }) => name).join(" "))} ;;`).join("\n")}
  esac
}
complete -o filenames -F _baton baton
`;
}

/** A description for `_describe`, in which a colon ends the name. */
const described = (name: string, about: string): string => quote(`${name.replaceAll(":", "\\:")}:${about}`);

function zsh(tree: readonly CommandInfo[]): string {
  const cases = tree.map(({ words: path, subcommands, options }) => {
    const entries = [
      ...subcommands.map(({ name, about }) => described(name, about)),
      ...options.flatMap(({ names, about }) => names.map((name) => described(name, about))),
    ];
    return `    ${quote(path.join(" "))}) entries=(${entries.join(" ")}) ;;`;
  });
  const choices = withChoices(tree).map(
    ({ command, option }) =>
      `    ${option.names.map((name) => quote(`${command.words.join(" ")} ${name}`.trim())).join("|")}) compadd -- ${option.choices.map(quote).join(" ")}; return ;;`,
  );
  return `#compdef baton
# zsh completion for baton. Load it in ~/.zshrc after compinit: eval "$(baton completion zsh)"
_baton() {
  local command_path="" word i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case " $(_baton_subcommands "$command_path") " in
      *" $word "*) command_path="\${command_path:+$command_path }$word" ;;
    esac
  done
  case "\${command_path:+$command_path }\${words[CURRENT - 1]}" in
${[...choices, ...withKinds(tree).map(({ patterns, kind }) => `    ${patterns}) _baton_names ${kind}; return ;;`)].join("\n")}
  esac
  if [[ "\${words[CURRENT]}" != -* ]]; then
    case "$command_path" in
${withArguments(tree)
  .map(({ path, kind }) => `      ${quote(path)}) _baton_names ${kind}; return ;;`)
  .join("\n")}
    esac
  fi
  case "$command_path" in
${cases.join("\n")}
  esac
  _describe 'baton' entries || _files
}
_baton_names() {
  local -a names
  names=("\${(@f)$(baton complete "$1" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\t/:/')}")
  _describe "$1" names
}
_baton_subcommands() {
  case "$1" in
${tree.map(({ words: path, subcommands }) => `    ${quote(path.join(" "))}) echo ${quote(subcommands.map(({ name }) => name).join(" "))} ;;`).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_baton" ]; then _baton "$@"; else compdef _baton baton; fi
`;
}

function fishValues({ takesValue, choices, kind }: Pick<CommandInfo["options"][number], "takesValue" | "choices" | "kind">): string {
  if (choices.length > 0) return ` -x -a ${quote(choices.join(" "))}`;
  if (kind !== undefined) return ` -x -a ${quote(`(baton complete ${kind} 2>/dev/null)`)}`;
  return takesValue ? " -r" : "";
}

function fish(tree: readonly CommandInfo[]): string {
  const lines = tree.flatMap((command) => {
    const condition = `-n ${quote(fishCondition(command))}`;
    const subcommands = command.subcommands.map(({ name, about }) => `complete -c baton ${condition} -a ${quote(name)} -d ${quote(about)}`);
    const options = command.options.map(({ names, about, takesValue, choices, kind }) => {
      const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
      const values = fishValues({ takesValue, choices, kind });
      return `complete -c baton ${condition} ${flags}${values} -d ${quote(about)}`;
    });
    const argument =
      command.argumentKind === undefined
        ? []
        : [`complete -c baton ${condition} -f -a ${quote(`(baton complete ${command.argumentKind} 2>/dev/null)`)}`];
    return [...subcommands, ...options, ...argument];
  });
  return `# fish completion for baton. Save it as ~/.config/fish/completions/baton.fish
${lines.join("\n")}
`;
}

/** True at the position of this command: all of its words were typed, and none of its subcommands. */
function fishCondition({ words: path, subcommands }: CommandInfo): string {
  const names = subcommands.map(({ name }) => name).join(" ");
  if (path.length === 0) return "__fish_use_subcommand";
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  return names === "" ? seen : `${seen}; and not __fish_seen_subcommand_from ${names}`;
}
