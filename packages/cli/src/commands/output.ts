import { homedir } from "node:os";
import { inkOf, levelOf, type Hues } from "../render/ansi-style.ts";
import type { Look } from "../render/layout.ts";
import type { Api, Modes } from "../connection/daemon-connection.ts";

/** One JSON value on a line of its own. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

export const printLines = (lines: readonly string[]): void => void process.stdout.write(lines.length === 0 ? "" : `${lines.join("\n")}\n`);

const WITHOUT_TERMINAL = 100;

/** How this output is to be drawn on now. */
export function lookNow(stream: NodeJS.WriteStream = process.stdout, hues?: Hues): Look {
  const columns = stream.isTTY ? stream.columns : Number(process.env["COLUMNS"]) || WITHOUT_TERMINAL;
  return { columns, ink: inkOf(levelOf(process.env, stream.isTTY), hues), now: Date.now(), home: homedir() };
}

/** The hues of all modes, for an output that has colours. */
export const huesFrom = async (api: Api): Promise<Hues> => huesOf(await api.daemon.modes.query());

export const huesOf = (modes: Modes): Hues => new Map(modes.map(({ slug, hue }) => [slug, hue]));
