/** A row of the fault matrix: the promises, the fault that the tests cause, and the tests (a file, and parts of their titles). */
export type Row = { row: string; promises: string; fault: string; tests: readonly { file: string; names?: readonly string[] }[] };

/** The row that the simulator itself counts. */
export const SIMULATED = "11 39 S";

const at = (file: string, ...names: string[]) => [names.length === 0 ? { file } : { file, names }];

export const matrix: readonly Row[] = [
  {
    row: "1",
    promises: "P1 P2 P3 P5",
    fault: "killed before and after every commit of a turn",
    tests: at("test/fault/crash.test.ts", "killed before and after"),
  },
  {
    row: "P1",
    promises: "P1 P2",
    fault: "killed before, during and after every git call that creates, removes, restores or applies a place",
    tests: at("test/place/crash.test.ts"),
  },
  {
    row: "P2",
    promises: "P1 P7",
    fault: "fifty places of one repository at once; no space for a place, its snapshot or its restoration; two daemons in one repository",
    tests: [...at("test/place/many-places.test.ts"), ...at("test/place/no-space.test.ts"), ...at("test/place/two-daemons.test.ts")],
  },
  {
    row: "P3",
    promises: "P1 P7",
    fault: "the incidents in which users of other agents lost work in worktrees, replayed",
    tests: at("test/place/incidents.test.ts"),
  },
  {
    row: "H1",
    promises: "P1 P2 P3",
    fault: "killed while a hook runs and after it ended, at each event, with each decision; ten hooks in ten sessions",
    tests: at("test/config/hooks-lives.test.ts"),
  },
  {
    row: "2",
    promises: "P1 P2 P3 P5 P6",
    fault: "killed at random under load, two clients attached",
    tests: at("test/harness/kill.test.ts"),
  },
  {
    row: "3",
    promises: "P1",
    fault: "power gone: the store's journal cut at every 512 bytes of its last 64 KB",
    tests: at("test/harness/torn-write.test.ts"),
  },
  { row: "4", promises: "P1 P7 P9", fault: "the disk of the store is full", tests: at("test/fault/full-disk.test.ts") },
  {
    row: "6",
    promises: "P7 P9",
    fault: "another program has locked the store",
    tests: at("test/harness/lock.test.ts", "while another program"),
  },
  {
    row: "7",
    promises: "P1 P2",
    fault: "twenty daemons started at once; a second one on the same home",
    tests: at("test/fault/life.test.ts", "twenty clients", "a second daemon"),
  },
  {
    row: "8",
    promises: "P9",
    fault: "the store is damaged, or of a later version",
    tests: at("test/store/store.test.ts", "a store of a later", "the daemon runs although", "a page that was damaged"),
  },
  {
    row: "9",
    promises: "P8",
    fault: "a foreign program reads the store for long while much is written",
    tests: at("test/harness/journal.test.ts"),
  },
  {
    row: "10",
    promises: "P1",
    fault:
      "others read and copy the store through connections of their own while the daemon writes (in its SQLite two that write could lose commits)",
    tests: [...at("test/harness/two-connections.test.ts"), ...at("src/store/database/sqlite-version.test.ts")],
  },
  {
    row: SIMULATED,
    promises: "P1 to P6, P11",
    fault: "by chance, in simulated time: kills, failed writes, cut clients, interrupts, a clock that is set, a machine that sleeps",
    tests: at("test/simulator/simulator.test.ts"),
  },
  {
    row: "12",
    promises: "P6",
    fault: "a client cut off a hundred times during a stream",
    tests: at("test/client/clients.test.ts", "a client that is cut off"),
  },
  {
    row: "13",
    promises: "P6",
    fault: "asked for events after the end of the log",
    tests: at("test/harness/lock.test.ts", "a client whose position"),
  },
  {
    row: "14",
    promises: "P7 P8",
    fault: "a reader that takes nothing any more",
    tests: at("test/client/clients.test.ts", "a reader that stops"),
  },
  {
    row: "16",
    promises: "P4",
    fault: "two clients answer the same request at once",
    tests: at("test/client/clients.test.ts", "two clients see"),
  },
  {
    row: "17",
    promises: "P2 P4",
    fault: "killed while an approval waits; another client answers",
    tests: at("test/fault/crash.test.ts", "an approval survives"),
  },
  {
    row: "18",
    promises: "P4 P9",
    fault: "file or mode changed between approval and run",
    tests: at("test/session/turn.test.ts", "if the file has changed", "a switch of the mode"),
  },
  {
    row: "19",
    promises: "P5 P7",
    fault: "the provider answers 400 to 529, with and without retry-after",
    tests: at("test/model/provider.test.ts", "a provider that answers", "after ten attempts", "the user can skip the wait"),
  },
  {
    row: "20",
    promises: "P2 P5",
    fault: "the model's stream cut anywhere, or without an end",
    tests: [
      ...at("test/model/provider.test.ts", "a stream that is cut", "a clean end"),
      ...at("test/model/wire-cut.test.ts"),
      ...at("test/model/wire-fault.test.ts"),
    ],
  },
  {
    row: "21",
    promises: "P5 P8 P9",
    fault: "arguments of calls that are broken, of a wrong type, of no tool",
    tests: at("test/model/provider.test.ts", "gets the error as its result", "call ids"),
  },
  {
    row: "22",
    promises: "P7",
    fault: "the provider hangs, or is not there",
    tests: at("test/model/provider.test.ts", "a call to a provider that hangs", "a missing server"),
  },
  {
    row: "23",
    promises: "P7 P8",
    fault: "the provider sends 100 MB: in pieces, in one line, as a refusal; a text in very many tiny pieces",
    tests: at("test/fault/flood.test.ts"),
  },
  {
    row: "24",
    promises: "P8",
    fault: "the agent goes in circles, or past its limits",
    tests: at("test/approval/guard.test.ts", "the third equal call", "two alternating calls", "a turn that"),
  },
  {
    row: "25",
    promises: "P7 P8",
    fault: "a tool prints without end",
    tests: at("src/system/commands/shell.test.ts", "a flood", "letters that are cut"),
  },
  {
    row: "26 27",
    promises: "P7 P10",
    fault: "a command never ends, stops itself, or leaves its group",
    tests: at("src/system/commands/shell.test.ts", "a time limit", "a command that stops", "an abort ends"),
  },
  {
    row: "28",
    promises: "P3 P10",
    fault: "the daemon is killed while commands run",
    tests: [
      ...at("src/system/commands/shell.test.ts", "what a dead daemon left"),
      ...at("test/fault/crash.test.ts", "a command that a crash"),
    ],
  },
  {
    row: "29",
    promises: "P8 P10",
    fault: "a command ends and leaves something running",
    tests: at("src/system/commands/shell.test.ts", "what it leaves running"),
  },
  {
    row: "30",
    promises: "P7 P8 P10",
    fault: "a command that forks, or takes memory, without end, in its group and out of it, in a call and beside it",
    tests: at("test/fault/bomb.test.ts"),
  },
  {
    row: "31",
    promises: "P5 P7 P9",
    fault: "an MCP server does not start, is deaf, prints junk, dies, answers with 100 MB, describes an approved tool anew",
    tests: at(
      "test/mcp/host.test.ts",
      "a server that does not start",
      "a call can be stopped",
      "a server gets no keys",
      "a project's server",
    ),
  },
  {
    row: "32",
    promises: "P9",
    fault: "config and mode files broken, half written, rewritten a thousand times a second",
    tests: [
      ...at("test/mode/mode-files.test.ts", "while a file is broken", "a file that is rewritten"),
      ...at("src/config/load-config.test.ts"),
    ],
  },
  {
    row: "5 33",
    promises: "P5 P8 P9",
    fault: "the workspace is moved, becomes a link, is full, read-only or gone while a session works in it",
    tests: at("test/fault/workspace-lost.test.ts"),
  },
  {
    row: "34",
    promises: "P9",
    fault: "a folder swapped for a link between check and use",
    tests: at("src/system/files/files.test.ts", "while a folder is swapped"),
  },
  { row: "35", promises: "P9", fault: "no sandbox where one is wanted", tests: at("test/sandbox/commands.test.ts") },
  {
    row: "36",
    promises: "P7 P8 P9",
    fault: "strangers at the door: no token, floods, 60 MB frames, bytes that are no HTTP",
    tests: at("test/client/door.test.ts"),
  },
  {
    row: "37",
    promises: "P1",
    fault: "a store of the oldest schema; a restart while a command runs and a request is open",
    tests: at("test/store/store.test.ts", "a store of the oldest", "a daemon that restarts"),
  },
  {
    row: "38",
    promises: "P9",
    fault: "secrets in every place where a person can put one, and a provider that says them back: looked for in all files and answers",
    tests: at("test/secret.test.ts"),
  },
  {
    row: "40",
    promises: "P1 P2 P3 P5 P6 P7",
    fault: "the daemon has little memory: for more conversations than fit, and for the work itself, so that it dies of it",
    tests: at("test/harness/memory.test.ts"),
  },
  {
    row: "41",
    promises: "P1 P2 P6 P7 P9",
    fault: "two and three daemons on one libSQL server: by chance cut off from it, put to sleep, killed, with clocks that are wrong",
    tests: at("test/harness/shared-lives.test.ts"),
  },
  {
    row: "plugins",
    promises: "P4 P9",
    fault: "plugins from a folder, git and npm: changed on disk after the approval, with an update that a crash interrupts",
    tests: at("test/config/plugins.test.ts"),
  },
  {
    row: "rebuild",
    promises: "P1",
    fault: "derived tables that are wrong or empty, and a rebuild of them that is killed, over simulated lives",
    tests: at("test/store/rebuild.test.ts"),
  },
  {
    row: "versions",
    promises: "P1 P9",
    fault: "events and snapshots of a later version, and invalid ones, at every place of a session",
    tests: at("test/store/later-version.test.ts"),
  },
  {
    row: "gate",
    promises: "P9",
    fault: "commands nested in commands by chance: what bash runs, the gate has seen",
    tests: at("src/permission/command/fuzz.test.ts"),
  },
  {
    row: "trace",
    promises: "P9",
    fault: "commands made from the tables of the gate: those that it allows run under strace, and may touch nothing that it did not name",
    tests: at("test/permission/trace.test.ts"),
  },
  {
    row: "42",
    promises: "P11",
    fault: "coordination ends without a switch, in every way, from every mode after every other one",
    tests: at("test/mode/coordination-return.test.ts", "a session returns to the mode"),
  },
  {
    row: "43",
    promises: "P1 P2 P7",
    fault: "delegation within delegation, with one place for each session, killed in the middle",
    tests: at("test/mode/delegation.test.ts", "nested tasks"),
  },
  {
    row: "44",
    promises: "P1 P3",
    fault: "killed while sessions are deleted, and work beside a deletion",
    tests: at("test/store/deletion.test.ts", "a daemon killed during a deletion", "a session that works during"),
  },
  {
    row: "E1",
    promises: "P7 P8 P9",
    fault: "direnv, mise, nvm and venv in trusted and other folders, with each choice and changed files; a tool fails, hangs and floods",
    tests: at("test/config/environments.test.ts"),
  },
  {
    row: "45",
    promises: "P7 P8 P10",
    fault: "a language server hangs, floods, crashes, prints noise, is killed, or finds nothing in many edits",
    tests: [
      ...at("test/language/odd-servers.test.ts"),
      ...at("test/language/typescript.test.ts"),
      ...at("src/language/server/server-pool.test.ts"),
    ],
  },
];
