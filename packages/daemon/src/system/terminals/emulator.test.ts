import { expect, test } from "vitest";
import { drawFrame } from "@baton/core/terminal/command-terminal-frame";
import { Emulator } from "./emulator.ts";

const SIZE = { columns: 40, rows: 6 };

const open = (reply: (data: string) => void = () => undefined) => new Emulator(SIZE, reply);
const bytes = (text: string) => Buffer.from(text, "latin1");

/** Numbers that look random and are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Pieces of output: text, invalid bytes, and sequences of every kind, also harmful and unfinished ones. */
const PIECES = [
  "plain text ",
  "line\r\n",
  "\u00ff\u00fe\u0080\u009b31m",
  "\u001b[31;1;48;5;200m",
  "\u001b[38;2;1;2;3m",
  "\u001b[0m",
  "\u001b[2J",
  "\u001b[3J",
  "\u001b[H",
  "\u001b[5;3H",
  "\u001b[?1049h",
  "\u001b[?1049l",
  "\u001b[2;4r",
  "\u001b[L",
  "\u001b[M",
  "\u001b[?25l",
  "\u001b[?25h",
  "\u001b[?1h\u001b[?2004h",
  "\u001bc",
  "\u001b]52;c;c2VjcmV0\u0007",
  "\u001b]0;a title\u0007",
  "\u001b]8;;file:///etc/passwd\u001b\\link\u001b]8;;\u001b\\",
  "\u001b[8;5;5t",
  "\u001b[21t",
  "\u001bP+q544e\u001b\\",
  "\u001b_application\u001b\\",
  "\u001b]1337;File=:",
  "\u001b[",
  "\u00e4\u00b8\u00ad\u00e6\u0096\u0087",
  "\u00e2\u0080\u00ae",
  "\r\n".repeat(9),
  "\b\b\t",
  "x".repeat(95),
];

/** Everything that drawing a frame may send to a terminal. */
const HARMLESS =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[[0-9;]*m|\u001b\[\d*;?\d*H|\u001b\[[23][JK]|\u001b\[\?(?:1|7|25|2004)[hl]|\r\n|[^\x00-\x1f\x7f-\x9f\u202a-\u202e]/gu;

test("whatever a program writes, frames hold only text and colors, and lead every viewer to the same screen", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomNumbers(seed);
    const program = open();
    const viewer = open();
    for (let i = 0; i < 40; i++) {
      await program.write(bytes(PIECES[random(PIECES.length)] ?? ""));
      if (random(3) > 0) continue;
      const frame = program.frame("viewer");
      if (!frame) continue;
      const drawn = drawFrame(frame, { rows: SIZE.rows, scrollback: true });
      expect(drawn.replace(HARMLESS, "")).toBe("");
      await viewer.write(Buffer.from(drawn));
    }
    const last = program.frame("viewer");
    if (last) await viewer.write(Buffer.from(drawFrame(last, { rows: SIZE.rows, scrollback: true })));
    const [wanted, shown] = [program.frame("compare"), viewer.frame("compare")];
    expect([seed, shown?.lines, shown?.cursor]).toEqual([seed, wanted?.lines, wanted?.cursor]);
  }
});

test("lines that leave the screen arrive in a viewer's scrollback in order", async () => {
  const program = open();
  const viewer = open();
  for (let i = 0; i < 50; i++) {
    await program.write(bytes(`${i} \u001b[3${i % 8}mcolored\u001b[0m\r\n`));
    const frame = i % 7 === 0 ? program.frame("viewer") : undefined;
    if (frame) await viewer.write(Buffer.from(drawFrame(frame, { rows: SIZE.rows, scrollback: true })));
  }
  const last = program.frame("viewer");
  if (last) await viewer.write(Buffer.from(drawFrame(last, { rows: SIZE.rows, scrollback: true })));
  const { above, text } = viewer.look();
  expect(`${above}\n${text}`.split("\n")).toEqual(Array.from({ length: 50 }, (_, i) => `${i} colored`));
});

test("a look has what left the screen since the last one, and says how much is left out", async () => {
  const program = open();
  await program.write(bytes("one\r\ntwo\r\n> "));
  expect(program.look()).toMatchObject({ text: "one\ntwo\n>", above: "", omitted: 0, cursor: { row: 3, column: 3 } });
  await program.write(bytes(Array.from({ length: 8 }, (_, i) => `${i}\r\n`).join("")));
  expect(program.look()).toMatchObject({ above: "> 0\n1\n2", text: "3\n4\n5\n6\n7", omitted: 0 });
  await program.write(bytes(Array.from({ length: 900 }, (_, i) => `${i}\r\n`).join("")));
  const { omitted, above } = program.look();
  expect(above.split("\n").length + omitted).toBe(900 - 5);
  await program.write(bytes("\u001b[?1049h\u001b[Hmenu"));
  expect(program.look()).toMatchObject({ text: "menu", above: "", fullScreen: true });
});

test("only questions about the terminal get an answer", async () => {
  const answers: string[] = [];
  const program = open((data) => answers.push(data));
  await program.write(bytes("\u001b[6n\u001b[c"));
  expect(answers.join("")).toBe("\u001b[1;1R\u001b[?1;2c");
  await program.write(bytes("\u001b]52;c;?\u0007\u001b[21t\u001b[18t\u001b]11;?\u0007"));
  expect(answers.length).toBe(2);
});
