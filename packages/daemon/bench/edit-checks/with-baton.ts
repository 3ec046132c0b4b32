import type { TestDaemon } from "../../test/support/daemon.ts";
import { languageProject, patient } from "../../test/support/language/language-project.ts";
import { script } from "../../test/support/script.ts";
import type { TestSession } from "../../test/support/session.ts";
import { memoryOf } from "../compare/memory.ts";
import { allFiles, type Project } from "./projects.ts";

const write = ({ module, textOf }: Project, i: number, version: number) => ({
  calls: [{ tool: "write_file", input: { path: module(i), content: textOf(i, version) } }],
});

export const startDaemon = (areOn: boolean): Promise<TestDaemon> =>
  languageProject({ config: { ...patient, ...(areOn ? {} : { lsp: false }), limits: { steps: 1_000 } }, files: { ...allFiles } });

/** The memory of a daemon and its servers, in MiB, after each of these sessions has edited a file of each project. */
export async function memoryWithBaton(daemon: TestDaemon, sessions: number, projects: readonly Project[]): Promise<number> {
  const open: TestSession[] = [];
  for (let n = 0; n < sessions; n++) {
    const replies = projects.map((project) => write(project, n, 2));
    const session = await daemon.session({ model: script(daemon, [...replies, { text: "Done." }]) });
    await session.runTurn("go");
    open.push(session);
  }
  await new Promise((done) => setTimeout(done, 3_000)); // servers still work after their answer
  return memoryOf([daemon.pid]);
}

/** The time of each step with an edit, in milliseconds. The first edit, for which the server starts, does not count. */
export async function stepsWithBaton(daemon: TestDaemon, project: Project, edits: number): Promise<number[]> {
  const replies = Array.from({ length: edits + 1 }, (_, n) => write(project, n % 10, 10 + n));
  const session = await daemon.session({ model: script(daemon, [...replies, { text: "Done." }]) });
  await session.runTurn("go");
  const starts = session.events.flatMap((event) => (event.type === "model.started" ? event.at : []));
  return starts.slice(1).flatMap((at, i) => (i === 0 ? [] : at - (starts[i] ?? at)));
}
