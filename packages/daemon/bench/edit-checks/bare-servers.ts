import { writeFileSync } from "node:fs";
import path from "node:path";
import { LanguageServerPool } from "../../src/language/server/server-pool.ts";
import { readErrors } from "../../src/language/checks/read-errors.ts";
import { serverFor, type LanguageServerDefinition } from "../../src/language/server/server-definition.ts";
import { openStdioProcesses } from "../../src/system/commands/stdio-process.ts";
import { defaultLimits } from "../../src/system/commands/command-limit-watch.ts";
import { memoryOf } from "../compare/memory.ts";
import type { Project } from "./projects.ts";

/** Language servers without Baton, in a folder with the same files. */
export function openBareServers(folder: string) {
  const programs = openStdioProcesses("bench", process.env);
  const pids: number[] = [];
  const pool = new LanguageServerPool({
    processes: {
      start: async (...args) => {
        const started = await programs.start(...args);
        if (!("fault" in started)) pids.push(started.pid);
        return started;
      },
    },
    bounds: defaultLimits,
    sandbox: () => undefined,
    report: (problem) => process.stderr.write(`${problem}\n`),
  });

  const definitionOf = ({ module }: Project): LanguageServerDefinition | undefined => serverFor(module(0), {}, folder, process.env);

  return {
    definitionOf,
    /** Opens so many modules with the files that use them, changes each once, and waits for the errors. */
    async change(project: Project, modules: number, version: number): Promise<number[]> {
      const definition = definitionOf(project);
      if (!definition) throw new Error(`${project.server} is not installed`);
      return pool.use(definition, folder, async (server) => {
        const users = Object.keys(project.files).filter((file) => /cart\d+\./.test(file));
        const times: number[] = [];
        for (let i = 0; i < modules; i++) {
          const file = path.join(folder, project.module(i % 10));
          await server.syncFromDisk(file);
          const user = users[i % 10];
          if (user !== undefined) await server.syncFromDisk(path.join(folder, user));
          if (i < 10) await readErrors(server, [file]);
          const text = project.textOf(i % 10, version + i);
          const began = performance.now();
          writeFileSync(file, text);
          await server.sync(file, text);
          await server.announce([{ file, kind: "changed" }]);
          await readErrors(server, [file]);
          times.push(performance.now() - began);
        }
        return times;
      });
    },
    memory: async (): Promise<number> => {
      await new Promise((done) => setTimeout(done, 3_000)); // as with Baton
      return memoryOf(pids);
    },
    close: async (): Promise<void> => {
      await pool.close();
      await programs.close();
    },
  };
}
