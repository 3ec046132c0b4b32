import { homedir } from "node:os";
import { defaultBindings, type KeyBindings } from "@baton/core/terminal/key-bindings";
import { ansiStyle, colorLevel, type ModeColors } from "../render/ansi-style.ts";
import type { TerminalStyle } from "../render/layout.ts";
import { writeSentences } from "../render/wrap-sentences.ts";
import type { Api, Modes } from "../connection/daemon-connection.ts";

/** Prints one JSON value per line. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Prints lines. In a terminal, sentences are wrapped at words. */
export const printLines = (lines: readonly string[]): void => writeSentences(process.stdout, lines);

const WITHOUT_TERMINAL = 100;

/** The style for an output: its width and colors, and the keys of the terminal client. */
export function terminalStyle(
  stream: NodeJS.WriteStream = process.stdout,
  colors?: ModeColors,
  keys: KeyBindings = defaultBindings,
): TerminalStyle {
  const columns = stream.isTTY ? stream.columns : Number(process.env["COLUMNS"]) || WITHOUT_TERMINAL;
  return { columns, ansi: ansiStyle(colorLevel(process.env, stream.isTTY), colors), now: Date.now(), home: homedir(), keys };
}

/** The colors of all modes. */
export const fetchModeColors = async (api: Api): Promise<ModeColors> => modeColors(await api.daemon.modes.query());

export const modeColors = (modes: Modes): ModeColors => new Map(modes.map(({ slug, hue }) => [slug, hue]));
