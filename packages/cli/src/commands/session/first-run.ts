import { errorMessage } from "@baton/core/client/rpc-errors";
import { noModelLines } from "../../render/lists/start-screen.ts";
import { unknownKeyText, type UnknownKey } from "../../connection/api-keys-unknown-to-daemon.ts";
import { CommandExit, EXIT_CODES } from "../../connection/exit-codes.ts";
import type { DaemonConnection } from "../../connection/daemon-connection.ts";
import type { EarlyInput } from "../../terminal/input/early-input.ts";
import { detectModelSources, KNOWN_API_KEYS } from "../daemon/detect-model-sources.ts";
import { availableModels } from "../model/available-models.ts";
import { printLines, terminalStyle } from "../output.ts";
import { readLine, readSecret } from "../terminal-prompts.ts";

/** The choice of a user without a model: the demo, to pick a model, or the client as it is. */
export type FirstRun = "demo" | "pick" | "open";

/**
 * Prints what Baton found on this machine, and lets the user add a key, pick a model, or run the demo. Without a terminal it is the demo.
 */
export async function firstRun(
  problem: string,
  unknownKeys: readonly UnknownKey[],
  link: DaemonConnection,
  early: EarlyInput | undefined,
): Promise<FirstRun> {
  const style = terminalStyle();
  const { ansi } = style;
  const environment = { ...(await detectModelSources(process.env)), keyWarnings: unknownKeys.map(unknownKeyText) };
  printLines(noModelLines(problem, environment, link.paths.configFile, style));
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    printLines(["", "Without a terminal Baton cannot ask, so it runs the demo."]);
    return "demo";
  }
  const { readKeyChoice } = await import("../../terminal/input/read-key-choice.ts");
  early?.release(); // keys that came before the question do not answer it
  for (;;) {
    const { length } = await availableModels(link.api);
    const choices: [string, string][] = [
      ...(length > 0 ? [["m", `choose one of the ${length} models that Baton found`] as [string, string]] : []),
      ["k", "add an API key"],
      ["d", "run the demo with a scripted model"],
      ["o", "open anyway"],
      ["q", "quit"],
    ];
    printLines(["", ...choices.map(([key, about]) => `  ${ansi.bold(key)} ${about}`)]);
    switch (await readKeyChoice(choices.map(([key]) => key))) {
      case "m":
        return "pick";
      case "k":
        if (await addKey(link)) return "pick";
        break;
      case "d":
        return "demo";
      case "o":
        return "open";
      default:
        throw new CommandExit("", EXIT_CODES.done);
    }
  }
}

/** Asks for a provider and its key, and stores the key. Returns false if the user gave none. */
async function addKey({ api }: DaemonConnection): Promise<boolean> {
  const names = [...new Set(KNOWN_API_KEYS.map(({ provider }) => provider))].join(", ");
  printLines([`  Providers: ${names}`]);
  const typed = (await readLine("  Provider (Enter for anthropic, q to go back): ")).trim();
  if (typed === "q") return false;
  try {
    const { provider } = await api.auth.provider.query({ provider: typed === "" ? "anthropic" : typed });
    const key = (await readSecret(`  Key for ${provider} (hidden): `)).trim();
    if (key === "") return false;
    await api.auth.login.mutate({ provider, key });
    printLines([`  The key for ${provider} is stored.`]);
    return true;
  } catch (error) {
    printLines([`  ${errorMessage(error)}`]);
    return false;
  }
}
