import { createHash } from "node:crypto";
import { systemFault } from "../../../src/system/system-fault.ts";
import type { BeforeFileChange } from "../../../src/system/files/files.ts";
import type { Ports } from "../../../src/system/system-ports.ts";
import { noLibrary } from "../../../src/system/skill-library.ts";
import type { BackgroundCommandHandle, ProcessEnd } from "../../../src/system/commands/background-commands.ts";
import type { WorkspaceSnapshots } from "../../../src/session/session-dependencies.ts";
import type { Run } from "../run.ts";

/** The outside effects of one call: how often it started, whether it ended, and in which life of the daemon. */
export type Effect = { begun: number; done: number; life: number; command: string };

/** The outside world, which survives the daemon: files, stored contents, and a count of the effects of commands. */
export class Machine {
  readonly files = new Map<string, string>([["notes.txt", "old\n"]]);
  readonly blobs = new Map<string, string>();
  readonly effects = new Map<string, Effect>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  ports(keep: BeforeFileChange = async () => undefined): Ports {
    const { scheduler, clock } = this.#run;
    const { files } = this;
    return {
      clock,
      library: noLibrary,
      files: {
        readText: (named, signal) => scheduler.step(`read file ${named}`, () => this.#text(named), { signal }),
        read: (named, signal) => scheduler.step(`read file ${named}`, () => this.#text(named), { signal }),
        writeText: async (named, text, signal) => {
          await keep(named);
          return scheduler.step(
            `write file ${named}`,
            () => {
              const created = !files.has(named);
              files.set(named, text);
              return { relative: named, created };
            },
            { signal },
          );
        },
        move: async () => systemFault("missing", "There is nothing to move."),
        remove: async () => systemFault("missing", "There is nothing to take away."),
        mayRead: () => true,
        stat: (named) => ({ relative: named, kind: "file", size: files.get(named)?.length ?? 0, changedAt: 0 }),
        list: async (named) => ({ relative: named, entries: [], leftOut: 0 }),
      },
      search: {
        mayShow: () => true,
        text: async () => ({ matches: [], capped: false }),
        files: async () => ({ files: [], capped: false, leftOut: 0 }),
      },
      webSearch: { search: async () => ({ service: "none", results: [] }) },
      web: { text: async (url) => ({ url, type: "text/plain", text: "" }) },
      blobs: { put: async () => "", writer: () => never("writer"), read: async () => undefined },
      shell: {
        run: (command, { signal, onOutput, owner }) => this.#command(command, `${owner.sessionId}/${owner.callId}`, signal, onOutput),
        start: (command, { owner }) => this.#start(command, owner.callId),
        startTerminal: async () => systemFault("not_started", "The simulated machine has no terminals."),
        terminalProblem: () => "The simulated machine has no terminals.",
        screen: async () => undefined,
        write: () => false,
        output: async () => undefined,
        stop: async () => undefined,
        list: () => [],
        stopSession: async () => undefined,
        close: async () => undefined,
      },
    };
  }

  get snapshots(): WorkspaceSnapshots {
    const { scheduler } = this.#run;
    return {
      keep: (_, file) => scheduler.step(`keep ${file}`, () => this.#kept(file)),
      now: (_, file) => scheduler.step(`look at ${file}`, () => this.#hash(this.files.get(file))),
      missingAbove: () => [],
      isFolder: () => false,
      removeEmpty: async () => false,
      filesIn: async () => [],
      modeOf: () => 0o644,
      read: async (hashed) => {
        const text = this.blobs.get(hashed);
        return text === undefined ? undefined : Buffer.from(text);
      },
      store: async (content) => {
        const text = Buffer.from(content).toString();
        const hashed = this.#hash(text) ?? never("a hash");
        this.blobs.set(hashed, text);
        return hashed;
      },
      restore: (_, { path: file, to }, signal) =>
        scheduler.step(
          `restore ${file}`,
          () => {
            if (to === null) this.files.delete(file);
            else this.files.set(file, this.blobs.get(to) ?? never(`blob ${to}`));
            return undefined;
          },
          { signal },
        ),
    };
  }

  #kept(file: string): string | null {
    const text = this.files.get(file);
    const hash = this.#hash(text);
    if (hash !== null && text !== undefined) this.blobs.set(hash, text);
    return hash;
  }

  #hash(text: string | undefined): string | null {
    return text === undefined ? null : createHash("sha256").update(text).digest("hex");
  }

  #text(named: string) {
    const text = this.files.get(named);
    return text === undefined ? systemFault("missing", `There is no ${named}.`) : { relative: named, text, size: text.length, mode: 0o644 };
  }

  async #command(command: string, owner: string, signal: AbortSignal, onOutput: (text: string) => void) {
    const run = this.#run;
    const effect = await run.scheduler.step(`begin ${owner}`, () => this.#begin(owner, command), { signal });
    onOutput(`${command}\n`);
    const hangs = !run.calm && run.draws.happens(120);
    if (hangs) {
      run.fault("a command hangs");
      await run.clock.wait(60_000, signal);
    }
    const exitCode = !run.calm && run.draws.happens(150) ? 1 : 0;
    return run.scheduler.step(
      `end ${owner}`,
      () => {
        effect.done++;
        return { head: command, tail: "", omittedLines: 0, omittedBytes: 0, exitCode, signal: null, tookMs: 5, timedOut: false };
      },
      { signal },
    );
  }

  #begin(owner: string, command: string): Effect {
    const before = this.effects.get(owner);
    const effect = { begun: (before?.begun ?? 0) + 1, done: before?.done ?? 0, life: this.#run.life, command };
    this.effects.set(owner, effect);
    this.#run.promises.began(owner, effect);
    return effect;
  }

  #start(command: string, id: string): Promise<BackgroundCommandHandle> {
    const { scheduler } = this.#run;
    return scheduler.step(`start ${command}`, () => {
      const ended = scheduler.step<ProcessEnd>(`${id} ends in the background`, () => ({ exitCode: 0, reason: "exited" }));
      return { id, onEnd: (listener) => void ended.then(listener), print: () => undefined };
    });
  }
}

const never = (what: string): never => {
  throw new Error(`the simulation has no ${what}`);
};
