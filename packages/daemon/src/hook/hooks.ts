import { rmSync } from "node:fs";
import type { HookEvent, HookOutcome, HookRun } from "@baton/core/protocol/hook";
import type { Actor } from "@baton/core/protocol/request";
import type { Sandbox } from "../system/sandbox/sandbox.ts";
import type { NetworkEntry } from "../system/sandbox-network/sandbox-network.ts";
import { hookRef, type HookDefinition, type HookFile, type HookStatus, type KnownHook } from "./hook-definition.ts";
import { hookFiles, openHookReader, type HookFolders, type HookSourceName } from "./hook-files.ts";
import { matchesHook, matchProblems, type HookSubject } from "./match-hook.ts";
import { parseHookOutput } from "./parse-hook-output.ts";
import type { HookProblem } from "./parse-hooks.ts";
import { runWithInput } from "../system/commands/run-with-input.ts";
import { hookProgram } from "./build-hook-command.ts";
import { runHttpHook } from "./run-http-hook.ts";
import { openSlots } from "./concurrency-limiter.ts";
import { hashScripts, type ScriptHash } from "../script-hash/hash-scripts.ts";
import { readsTranscript, writeTranscript } from "./transcript-file.ts";
import { hookApprovalQuestion, type HookApprovalQuestion } from "./hook-approval-question.ts";

/** The hooks for a subject. `questions`: the files whose hooks nobody has approved. */
export type FoundHooks = { approved: readonly KnownHook[]; questions: readonly HookApprovalQuestion[] };

/**
 * The input of a hook. `text` gets the file with the transcript, which is "" for a hook that does not read it. `transcript` makes its text.
 */
type HookInput = {
  /** The session whose network a hook in the sandbox uses. Undefined if a user tests the hook. */
  sessionId: string | undefined;
  text: (definition: HookDefinition, transcriptFile: string) => string;
  transcript: () => Promise<string>;
};

export type Hooks = {
  /** The hooks that would run for a subject of this event. `modes`: those of the session. Without them, hooks of all modes are found. */
  find: (workspace: string, event: HookEvent, subject: HookSubject, modes?: readonly string[]) => FoundHooks;
  /** A file whose hooks cannot be read, so that nobody knows which calls they guard. */
  problem: (workspace: string, modes?: readonly string[]) => (HookProblem & Pick<HookFile, "layer">) | undefined;
  /** Runs a hook once with this input, if it still is as the user approved it. The call's own abort ends it. */
  run: (workspace: string, run: HookRun, input: HookInput, signal: AbortSignal) => Promise<HookOutcome>;
  /** All hooks of a workspace, with the problems of their files. */
  list: (workspace: string) => { hooks: readonly KnownHook[]; problems: readonly HookProblem[] };
  /** Whether a question about hooks is still open: none of these hooks has changed or was decided. */
  isOpen: (workspace: string, hashes: readonly string[]) => boolean;
  settle: (workspace: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
};

type HooksOptions = {
  folders: HookFolders;
  /** The folder whose hooks and approvals apply to a folder. */
  identity: (folder: string) => string;
  isTrusted: (workspace: string) => boolean;
  /** The user's choice which other agents' files are read. */
  from: () => readonly HookSourceName[];
  /** Whether a managed machine forbids all other hooks. */
  managedOnly: () => boolean;
  /** More files with hooks, such as those of plugins. `modes`: only those that apply in one of these modes. */
  extra: (workspace: string, modes?: readonly string[]) => readonly HookFile[];
  approval: (workspace: string, hash: string) => HookStatus;
  approve: (workspace: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
  /** The environment of a hook's command. */
  env: () => Readonly<Record<string, string>>;
  /** The daemon's own environment, of which a hook by HTTP may name variables. */
  daemonEnv: Readonly<Record<string, string | undefined>>;
  shell: string;
  /** The configured sandbox, in which commands of hooks run. */
  sandbox: () => Sandbox | undefined;
  /** Opens the network of a session for a hook in the sandbox. Undefined: the hook has the network of the machine. A text says why there is none. */
  network: (workspace: string, sessionId: string | undefined) => Promise<NetworkEntry | string | undefined>;
  /** A private folder for the transcripts that running hooks read. */
  transcripts: string;
  /** Begins the tag of all processes. */
  bootId: string;
};

/** The number of hooks that run at once in all sessions. Others wait, and their time begins when they start. */
const MAX_AT_ONCE = 16;

/** Opens the hooks of the managed config, the user and trusted projects. */
export function openHooks(options: HooksOptions): Hooks {
  const {
    folders,
    identity,
    isTrusted,
    from,
    managedOnly,
    extra,
    approval,
    approve,
    env,
    daemonEnv,
    shell,
    sandbox,
    network,
    transcripts,
    bootId,
  } = options;
  const read = openHookReader();
  const slots = openSlots(MAX_AT_ONCE);
  rmSync(transcripts, { recursive: true, force: true }); // of a daemon that was killed

  const filesOf = (workspace: string, modes?: readonly string[]): HookFile[] => {
    const all = [...hookFiles(folders, isTrusted(workspace) ? identity(workspace) : undefined, from()), ...extra(workspace, modes)];
    return managedOnly() ? all.filter(({ layer }) => layer === "managed") : all;
  };
  /** A place runs its own copies of scripts. As long as they are those of the project, its approval counts. */
  const scriptsOf = ({ launch, file }: HookDefinition, workspace: string): ScriptHash[] => {
    const words = launch.type === "command" ? [launch.command, ...(launch.args ?? [])] : [];
    const project = identity(workspace);
    return hashScripts(words, { folder: workspace, project }, variablesOf(file, project));
  };
  const known = (definition: HookDefinition, workspace: string): KnownHook => {
    const ref = hookRef(definition, scriptsOf(definition, workspace));
    const { file } = definition;
    return { definition, ref, status: file.layer === "managed" ? "approved" : approval(workspace, ref.hash) };
  };
  const variablesOf = ({ root }: HookFile, workspace: string): Record<string, string> => ({
    HOME: folders.home,
    CLAUDE_PROJECT_DIR: workspace,
    BATON_PROJECT_DIR: workspace,
    ...(root === undefined ? {} : { CLAUDE_PLUGIN_ROOT: root, PLUGIN_ROOT: root }),
  });
  const allHooks = (workspace: string): KnownHook[] =>
    filesOf(workspace).flatMap((file) => read(file).hooks.map((hook) => known(hook, workspace)));

  const approvedHook = (workspace: string, hash: string): KnownHook | undefined =>
    allHooks(workspace).find(({ ref, status }) => ref.hash === hash && status === "approved");

  return {
    find: (workspace, event, subject, modes) => {
      const found = filesOf(workspace, modes)
        .flatMap((file) => read(file).hooks)
        .filter((hook) => hook.event === event && matchesHook(hook, subject))
        .map((hook) => known(hook, workspace));
      const undecided = new Set(found.filter(({ status }) => status === "undecided").map(({ definition }) => definition.file));
      return {
        approved: found.filter(({ status }) => status === "approved"),
        questions: [...undecided].map((file) =>
          hookApprovalQuestion(
            file,
            read(file).hooks.map((hook) => known(hook, workspace)),
          ),
        ),
      };
    },
    problem: (workspace, modes) =>
      filesOf(workspace, modes)
        .flatMap((file) => read(file).problems.map((problem) => ({ ...problem, layer: file.layer })))
        .find(({ severity }) => severity === "error"),
    run: async (workspace, { hook, id }, input, signal) => {
      const began = performance.now();
      const ended = (outcome: Omit<HookOutcome, "tookMs">): HookOutcome => ({ ...outcome, tookMs: Math.round(performance.now() - began) });
      const leave = await slots.enter(signal);
      if (!leave) return ended({ status: "failed", problem: "it was interrupted before it began" });
      const found = approvedHook(workspace, hook.hash); // only now, because it may have changed while it waited
      if (!found) {
        leave();
        return ended({ status: "failed", problem: "it has changed since it was chosen" });
      }
      const { definition } = found;
      const { launch, timeoutMs, event, file, failsBy } = definition;
      const words = launch.type === "command" ? [launch.command, ...(launch.args ?? [])] : [];
      let transcript: Awaited<ReturnType<typeof writeTranscript>> | undefined;
      const box = launch.type === "command" ? sandbox() : undefined;
      const entry = box ? await network(workspace, input.sessionId) : undefined;
      try {
        const scripts = scriptsOf(definition, workspace);
        if (readsTranscript(words, scripts)) transcript = await writeTranscript(transcripts, await input.transcript());
        const text = input.text(definition, transcript?.file ?? "");
        const exit = await (launch.type === "http"
          ? runHttpHook({ ...launch, env: daemonEnv, timeoutMs }, text, signal)
          : runWithInput(
              {
                ...hookProgram(withRoot(launch, file), shell, box && { box, network: entry }, {
                  cwd: workspace,
                  visible: [
                    ...scripts.map(([script]) => script),
                    ...(file.root === undefined ? [] : [file.root]),
                    ...(transcript ? [transcript.folder] : []),
                  ],
                }),
                cwd: workspace,
                env: { ...env(), ...(typeof entry === "object" ? entry.env : {}), ...variablesOf(file, identity(workspace)) },
                timeoutMs,
                tag: `${bootId}.hook/${id}`,
              },
              text,
              signal,
            ));
        return ended(parseHookOutput(exit, { event, dialect: file.dialect, failsBy }));
      } finally {
        leave();
        if (typeof entry === "object") entry.leave();
        await transcript?.remove();
      }
    },
    list: (workspace) => ({
      hooks: allHooks(workspace),
      problems: filesOf(workspace).flatMap((file) => {
        const { hooks, problems } = read(file);
        const ofHooks = hooks.flatMap((hook) =>
          matchProblems(hook).map((message): HookProblem => ({ file: file.label, line: hook.line, severity: "warning", message })),
        );
        return [...problems, ...ofHooks];
      }),
    }),
    isOpen: (workspace, hashes) => {
      const all = allHooks(workspace);
      return hashes.some((hash) => all.some(({ ref, status }) => ref.hash === hash && status === "undecided"));
    },
    settle: (workspace, hashes, approved, by) => {
      const isEverywhere = ({ layer, root }: HookFile) => layer === "user" || root !== undefined;
      const users = new Set(allHooks(workspace).flatMap(({ ref, definition }) => (isEverywhere(definition.file) ? ref.hash : [])));
      const everywhere = hashes.filter((hash) => users.has(hash));
      const here = hashes.filter((hash) => !users.has(hash));
      return settleBoth(workspace, everywhere, here, approved, by);
    },
  };

  /** Without a shell nothing else replaces the folder of a plugin in the words of its command. */
  function withRoot<L extends { command: string; args?: readonly string[] | undefined }>(launch: L, { root }: HookFile): L {
    const { command, args } = launch;
    if (root === undefined || args === undefined) return launch;
    const fill = (text: string) => text.replaceAll(/\$\{(?:CLAUDE_)?PLUGIN_ROOT\}/g, () => root);
    return { ...launch, command: fill(command), args: args.map(fill) };
  }

  async function settleBoth(workspace: string, everywhere: readonly string[], here: readonly string[], approved: boolean, by: Actor) {
    if (everywhere.length > 0) await approve("*", everywhere, approved, by);
    if (here.length > 0) await approve(workspace, here, approved, by);
  }
}
