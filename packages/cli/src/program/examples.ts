import type { Command } from "commander";

/** A command line that can be copied, and what it does. */
type Example = { line: string; about: string };

const example = (line: string, about: string): Example => ({ line, about });

/** Examples by the words of the command. `--help` and the reference show them. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  baton: [
    example("baton", "opens a session in this folder"),
    example("baton ~/shop --mode plan", "plans first, in another folder"),
    example("baton --model ollama/qwen3", "uses a local model"),
    example('baton "fix the failing test"', "starts with a prompt"),
    example("baton --continue", "continues the newest session of this folder"),
    example("baton -w fix-login", "works in a git worktree of its own"),
  ],
  "baton run": [
    example('baton run "fix the failing test"', "runs one turn and asks in this terminal"),
    example("git diff | baton run 'review this change' --mode ask", "adds piped input to the prompt"),
    example('baton run "update the changelog" --on-request fail --json', "for CI: exits with 3 if something needs approval"),
    example('baton run "fix the login" --versions 3', "tries it three times in worktrees side by side, and compares"),
  ],
  "baton plugins list": [example("baton plugins", "lists the installed plugins")],
  "baton plugins show": [example("baton plugins show review-kit", "shows its skills, hooks and servers with their exact commands")],
  "baton plugins add": [
    example("baton plugins add ./review-kit", "shows the contents of a folder and asks whether to install them"),
    example("baton plugins add https://example.com/review-kit.git#v1.2.0", "pins the commit of a tag"),
    example("baton plugins add review-kit@github:acme/plugins", "takes a plugin from a marketplace of Claude Code"),
    example("baton plugins add npm:@acme/review-kit", "fetches a package without running its scripts"),
  ],
  "baton plugins update": [example("baton plugins update review-kit", "shows what has changed and asks again")],
  "baton plugins enable": [
    example("baton plugins enable review-kit", "uses the plugin in all folders"),
    example("baton plugins enable review-kit --mode code plan", "uses it only in these modes"),
  ],
  "baton plugins disable": [example("baton plugins disable review-kit", "uses the plugin nowhere, even where a project asks for it")],
  "baton plugins remove": [example("baton plugins remove review-kit", "leaves nothing of it on disk and in the config")],
  "baton hooks list": [example("baton hooks", "lists the hooks of this folder")],
  "baton hooks test": [
    example(`baton hooks test PreToolUse --tool run_command --input '{"command":"git push"}'`, "shows what hooks say about a push"),
  ],
  "baton hooks approve": [example("baton hooks approve", "lets all hooks run that wait for you in this folder")],
  "baton hooks refuse": [example("baton hooks refuse 3f9c", "never runs the hook whose hash begins with 3f9c")],
  "baton hooks log": [example("baton hooks log", "lists what hooks decided in the newest sessions here")],
  "baton places": [
    example("baton places", "lists all places with their changes, commits and sessions"),
    example("baton places --here --size", "only those of this repository, with their size on disk"),
  ],
  "baton places create": [example("baton places create fix-login --base main", "makes a worktree at main, without a session")],
  "baton places diff": [
    example("baton places diff fix-login", "everything since the base, committed or not"),
    example("baton places diff fix-login --branch main", "shows the changes since the place left main"),
  ],
  "baton places apply": [
    example("baton places apply fix-login --preview", "shows what would be written, merged or in conflict"),
    example("baton places apply fix-login", "brings the changes into this checkout"),
    example("baton places apply fix-login src/cart.ts --conflicts mark", "only one file, with markers where both sides changed it"),
  ],
  "baton places revert": [example("baton places revert fix-login", "takes back what was applied")],
  "baton places prepare": [example("baton places prepare fix-login", "runs the setup that the repository defines for places")],
  "baton places save": [example("baton places save fix-login", "takes a snapshot and changes nothing")],
  "baton places remove": [example("baton places remove fix-login", "saves everything, then removes the folder")],
  "baton places restore": [example("baton places restore fix-login", "brings it back as it was")],
  "baton places repair": [example("baton places repair fix-login", "finishes what a crash interrupted")],
  "baton attach": [example("baton attach 3f9a", "the beginning of an id is enough")],
  "baton help": [
    example("baton help topics", "lists the documentation pages"),
    example("baton help permissions", "prints one page"),
    example("baton help mcp add", "shows the help of a command"),
  ],
  "baton sessions": [example("baton sessions --here", "lists the sessions of this folder")],
  "baton search": [
    example("baton search rounding cart", "finds messages, commands, outputs and paths with both words"),
    example("baton search '\"npm test\"' --here --since 7d", "finds words that follow each other, here and in the last week"),
    example("baton search discount --file src/cart.ts", "only in sessions that name this file"),
  ],
  "baton fork": [example("baton fork 3f9a --at 120", "copies a session up to an event")],
  "baton export": [
    example("baton export 3f9a --markdown > session.md", "saves the transcript"),
    example("baton export 3f9a --html > session.html", "saves a page to share, with secrets masked"),
  ],
  "baton models refresh": [
    example("baton models refresh https://models.dev/api.json", "loads the newest prices and sizes"),
    example("baton models refresh ./api.json", "loads them from a file"),
  ],
  "baton context": [example("baton context 3f9a", "shows the size of the system prompt, tools, messages, files and results")],
  "baton background": [
    example("baton background", "lists the background commands of all sessions and their outcomes"),
    example("baton background output 3f9a s4.1 --follow", "prints the output of a command as it comes"),
    example("baton background attach 3f9a s4.1", "types into the terminal of a command"),
    example("baton background stop 3f9a s4.1", "stops a command with its child processes"),
  ],
  "baton undo": [
    example("baton undo 3f9a --preview", "shows which files it would restore"),
    example("baton undo 3f9a", "undoes the newest turn that changed files"),
    example("baton undo 3f9a --to 3 --conversation", "goes back to before the third newest prompt"),
  ],
  "baton inbox": [example("baton inbox", "numbers the open requests")],
  "baton answer": [
    example("baton answer 1 once", "allows request 1 of the inbox once"),
    example('baton answer 1 deny --note "use pnpm"', "denies it and tells the agent what to do instead"),
  ],
  "baton modes create": [
    example("baton modes create docs --scope project --set groups='[\"read\"]'", "creates a mode that only reads, for this folder"),
  ],
  "baton modes export": [example("baton modes export docs --format claude", "converts a mode for Claude Code")],
  "baton environment use": [example("baton environment use venv", "lets commands of agents in this folder find the programs of .venv")],
  "baton trust": [example("baton trust --status", "shows whether this folder is trusted")],
  "baton tools approve": [example("baton tools approve weather", "lets the agent use the tool weather as it is now")],
  "baton tools refuse": [example("baton tools refuse weather", "never lets the agent use it as it is now")],
  "baton tools list": [example("baton tools --mode plan", "lists the tools of plan, and why it lacks others")],
  "baton permissions check": [
    example('baton permissions check --action command --resource "npm test"', "shows the verdict and the rule that decides"),
    example("baton permissions check --action read --resource .env", "shows that a file with keys asks"),
  ],
  "baton audit": [
    example("baton audit --here --since 7d", "lists the decisions of the last week in this folder"),
    example("baton audit --csv > decisions.csv", "saves all decisions for a spreadsheet"),
  ],
  "baton permissions import": [example("baton permissions import ~/.claude/settings.json", "shows the converted rules")],
  "baton mcp add": [
    example("baton mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "adds a program"),
    example("baton mcp add tickets --url https://tickets.example/mcp", "adds an address"),
  ],
  "baton mcp approve": [example("baton mcp approve files --yes", "approves a project's server")],
  "baton mcp install": [example("baton mcp install claude --write", "lets Claude Code use your tools")],
  "baton toolsets build": [example("baton toolsets build review files__read_text tickets__search", "saves a selection of tools")],
  "baton toolsets equip": [example("baton toolsets equip review --mode architect", "gives it to all sessions in one mode")],
  "baton usage": [example("baton usage --by model --days 7", "shows the cost of the last week by model")],
  "baton auth login": [
    example("baton auth login anthropic", "asks for the key without showing it"),
    example("pass anthropic | baton auth login anthropic", "takes it from another program"),
  ],
  "baton daemon logs": [example("baton daemon logs --follow", "keeps printing new lines")],
  "baton db restore": [example("baton db restore", "restores the newest copy")],
  "baton service install": [example("baton service install", "starts the daemon with your next login")],
  "baton update": [
    example("baton update", "installs the newest version"),
    example("baton update --rollback", "returns to the version before it"),
  ],
  "baton uninstall": [example("baton uninstall --keep-sessions", "removes the program and keeps your data")],
  "baton completion": [
    example("baton completion zsh > ~/.zfunc/_baton", "installs completions for zsh"),
    example("baton completion man > ~/.local/share/man/man1/baton.1", "installs the manual page"),
  ],
  "baton web": [example("baton web --no-open", "prints the address instead of opening it")],
};

/** Adds the examples to the help of each command. */
export function addExamples(command: Command, path = command.name()): void {
  const own = examples[path];
  if (own) command.addHelpText("after", `\nExamples:\n${exampleLines(own).join("\n")}`);
  for (const child of command.commands) addExamples(child, `${path} ${child.name()}`);
}

const exampleLines = (own: readonly Example[]): string[] => own.flatMap(({ line, about }) => [`  ${line}`, `      ${about}`]);
