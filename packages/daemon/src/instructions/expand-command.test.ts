import { expect, test } from "vitest";
import { expandCommand } from "./open-skill-library.ts";

test.each([
  ["Review $1 for $2.", "a.ts speed", "Review a.ts for speed."],
  ["Review $1.", '"a file.ts" more', "Review a file.ts."],
  ["Fix: $ARGUMENTS", "all of it, $1", "Fix: all of it, $1"],
  ["Fix $3.", "one", "Fix ."],
  ["Say hello.", "to Ann", "Say hello.\n\nto Ann"],
  ["Say hello.", "", "Say hello."],
  [
    "State:\n!`git status`\nNo !`echo",
    "",
    "State:\n!`git status`\nNo !`echo\n\nFirst run the commands in !`...` above, and replace each by its output.",
  ],
  ["Costs $ARGUMENTSX and $0", "a", "Costs $ARGUMENTSX and $0\n\na"],
])("%s with %s", (text, args, expected) => expect(expandCommand(text, args)).toBe(expected));
