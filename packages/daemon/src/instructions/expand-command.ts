import { splitArguments } from "@baton/core/text/split-arguments";

/** The text of a slash command with what was typed behind its name: `$ARGUMENTS` is all of it, `$1` to `$9`, if these are `numbered`, its words. */
export function expandCommand(text: string, args: string, { numbered = true } = {}): string {
  const words = splitArguments(args);
  const places = numbered ? /\$(ARGUMENTS\b|[1-9])/g : /\$(ARGUMENTS\b)/g;
  const takes = text.search(places) >= 0;
  const filled = text.trim().replaceAll(places, (_, name: string) => (name === "ARGUMENTS" ? args : (words[Number(name) - 1] ?? "")));
  const whole = takes || args === "" ? filled : `${filled}\n\n${args}`;
  return RUNS.test(text) ? `${whole}\n\n${RUN_FIRST}` : whole;
}

/** Other agents run what stands so before the model sees the text, and ask nobody. Here the model runs it, under the rules. */
const RUNS = /(?<=^|\s)!`[^`\n]+`/m;
const RUN_FIRST = "Before anything else run the commands that stand in !`...` above: what each prints belongs in its place.";
