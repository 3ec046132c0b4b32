import { memoryStore, type Store } from "./world/store.ts";
import { Run, type Outcome, type Plant } from "./run.ts";
import { shrink } from "./shrink.ts";

/** One run with its own store in memory, or on the store in the options. */
export const play = (source: number | readonly number[], plant?: Plant, store: Store = memoryStore()): Promise<Outcome> =>
  new Run(source, store, plant).play();

/** The name of a broken promise at the start of its line: `P2`, `defect`. */
export const promiseOf = (broken: string): string => broken.split(":", 1)[0] ?? "";

/** A failing run, as short as `most` attempts can make it, as text for a developer. */
export async function explain(
  seed: number,
  { tape, broken }: Outcome,
  { plant, most }: { plant?: Plant; most?: number } = {},
): Promise<string> {
  const promise = promiseOf(broken[0] ?? "");
  const breaks = async (candidate: readonly number[]) => promiseOf((await play(candidate, plant)).broken[0] ?? "") === promise;
  const shortest = await play(await shrink(tape, breaks, most), plant);
  return [
    `seed ${seed} breaks a promise; the shortest run that does:`,
    ...shortest.trace.map((line) => `  ${line}`),
    ...shortest.broken,
  ].join("\n");
}
