import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { backUp } from "../../src/store/store-maintenance.ts";
import { libsqlStore } from "./world/libsql-store.ts";
import { play } from "./play.ts";

/**
 * `record-store.ts RELEASE`: stores a store of this release, which all later releases must read. It is the store of the life with the most
 * types of events among the first 200.
 */
const [release = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(release)) throw new Error("Say of which release the store is, for example 0.1.0.");
const file = fileURLToPath(new URL(`../fixture/store-${release}.db`, import.meta.url));

let best = { seed: 0, types: 0 };
for (let seed = 1; seed <= 200; seed++) {
  const { events } = await play(seed);
  if (events.size > best.types) best = { seed, types: events.size };
}
await using store = await libsqlStore();
await play(best.seed, undefined, store);
rmSync(file, { force: true });
console.log({ ...best, ...backUp(store.file, file) });
