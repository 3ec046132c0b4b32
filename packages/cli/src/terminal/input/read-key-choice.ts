import { keyReader } from "./key-decoder.ts";

/** Waits for one of these keys. Ctrl+C and Ctrl+D return the last one. */
export async function readKeyChoice(choices: readonly string[]): Promise<string> {
  const { stdin } = process;
  const reader = keyReader();
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await new Promise<string>((chosen) => {
      stdin.on("data", (data: Buffer) => {
        for (const { name, ctrl } of reader.read(data)) {
          if (ctrl && (name === "c" || name === "d")) chosen(choices.at(-1) ?? "");
          else if (!ctrl && choices.includes(name)) chosen(name);
        }
      });
    });
  } finally {
    stdin.removeAllListeners("data");
    stdin.setRawMode(false);
    stdin.pause();
  }
}
