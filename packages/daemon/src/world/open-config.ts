import { loadConfig, type Loaded, type Reading } from "../config/load.ts";
import { watchFile } from "../config/watch.ts";
import { inBackground } from "../session/in-background.ts";

type Report = (problem: string, error: unknown) => void;

/**
 * The config, read again whenever its file changes; what is broken keeps what held before. `again` reads it at once, for who has
 * just changed it.
 */
export async function openConfig(
  file: string,
  report: Report,
  changed: () => void,
  actions: readonly string[],
): Promise<{ now: () => Loaded; again: () => Promise<void>; close: () => void }> {
  const reading: Reading = { layer: "user", actions };
  let loaded = await loadConfig(file, undefined, reading);
  const again = async () => {
    loaded = await loadConfig(file, loaded, reading);
    changed();
  };
  const close = watchFile(file, () => inBackground(again(), report));
  return { now: () => loaded, again, close };
}
