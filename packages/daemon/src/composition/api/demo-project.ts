import { cp, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const TOUR = "tour.json";

/** The script of the demo's model. It is not part of the project that the model sees. */
export const tourOf = (sample: string): string => path.join(sample, TOUR);

/** Copies the sample project to a new temporary folder, and returns that. */
export async function copyDemoProject(sample: string): Promise<string> {
  const folder = path.join(await realpath(await mkdtemp(path.join(tmpdir(), "baton-demo-"))), "seat-booking");
  await cp(sample, folder, { recursive: true, filter: (file) => path.basename(file) !== TOUR });
  return folder;
}
