import { loadConfig, type Loaded, type Reading } from "../config/load.ts";
import { watchFile } from "../config/watch.ts";
import { inBackground } from "../session/in-background.ts";

type Report = (problem: string, error: unknown) => void;

/** The config, read again whenever its file changes; what is broken keeps what held before. */
export async function openConfig(
  file: string,
  report: Report,
  changed: () => void,
  actions: readonly string[],
): Promise<{ now: () => Loaded; close: () => void }> {
  const reading: Reading = { layer: "user", actions };
  let loaded = await loadConfig(file, undefined, reading);
  const close = watchFile(file, () => {
    const again = loadConfig(file, loaded, reading).then((next) => {
      loaded = next;
      changed();
    });
    inBackground(again, report);
  });
  return { now: () => loaded, close };
}
