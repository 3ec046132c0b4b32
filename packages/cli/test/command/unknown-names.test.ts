import type { Command } from "commander";
import { expect, test } from "vitest";
import { commands } from "../../src/program/program.ts";
import { openSettledHome } from "../support/home.ts";

const UNKNOWN = "no-such-thing";

/** Arguments that name something that exists. A new name, a text or a version may be anything. */
const EXISTING = ["session", "request", "slug", "id", "file", "files", "folder", "host", "provider", "shell"];
/** `name` is an existing thing in these commands. */
const WITH_NAME = ["mcp remove", "mcp test", "mcp login", "mcp logs", "mcp approve", "toolsets delete", "toolsets equip"];
/** The options whose value names something that exists. */
const OPTIONS = ["--session", "--mode", "--cwd"];
/** Commands in which the name is new, or in which any name is a filter. */
const NEW = new Set(["modes create <slug>", "db backup [file]", "search --mode"]);

/** The other arguments that a command needs. */
const NEEDED: Readonly<Record<string, string[]>> = {
  "permissions check": ["--action", "read", "--resource", "x"],
  "toolsets build": ["docs", "files__read"],
  "toolsets equip": ["docs"],
  import: ["x"],
  search: ["x"],
  run: ["x"],
};

function* commandsBelow(command: Command, words: string[] = []): Generator<{ words: string; command: Command }> {
  yield { words: words.join(" "), command };
  for (const child of command.commands) yield* commandsBelow(child, [...words, child.name()]);
}

/** Calls of each command with an unknown name in each place that takes an existing one. */
function calls(): string[][] {
  return [...commandsBelow(commands())].flatMap(({ words, command }) => {
    const path = words === "" ? [] : words.split(" ");
    const [first, ...others] = command.registeredArguments;
    const isName = first !== undefined && (EXISTING.includes(first.name()) || WITH_NAME.includes(words));
    const label = first ? `${words} ${first.required ? `<${first.name()}>` : `[${first.name()}]`}` : "";
    const rest = others.filter(({ required }) => required).map(() => "x");
    const byArgument = isName && !NEW.has(label) ? [[...path, UNKNOWN, ...rest]] : [];
    const required = command.registeredArguments.filter((each) => each.required).map(() => "x");
    const byOption = command.options
      .filter(({ long }) => long !== undefined && OPTIONS.includes(long) && !NEW.has(`${words} ${long}`))
      .map(({ long = "" }) => [...path, ...(NEEDED[words] ?? required), long, UNKNOWN]);
    return [...byArgument, ...byOption];
  });
}

test("every command refuses an unknown name with exit code 2 and one style of error", { timeout: 120_000 }, async () => {
  await using home = await openSettledHome();
  const all = calls();
  expect(all.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const args of all) {
    const { code, out, err } = await home.run(args);
    const text = `${err}${out}`;
    if (code !== 2 || text.startsWith("error:") || text === "") wrong.push(`baton ${args.join(" ")}: ${code} ${text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
});

test("invalid options have the same style of error", async () => {
  await using home = await openSettledHome();
  for (const args of [["--nothing"], ["run", "--nothing"], ["mcp", "list", "--nothing"], ["run", "x", "--max-steps", "0"]]) {
    const { code, err } = await home.run(args);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/^baton: /) as unknown });
  }
});
