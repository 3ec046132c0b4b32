import { expect, test } from "vitest";
import { callLines, runningLine } from "./call.ts";
import { approval, at, call, edit, style } from "../../../test/support/render-fixtures.ts";

const output = {
  type: "terminal" as const,
  head: "✓ test/booking.test.ts (14 tests) 912 ms\n",
  tail: "\nTests  131 passed (131)\n",
  omittedLines: 208,
  exitCode: 0,
};
const calls = [
  call("read", "src/booking/webhook.ts", { result: { outcome: "ok", text: "", end: "1–118" } }),
  call("search", "insertBooking(", { result: { outcome: "ok", text: "", end: "3 in 3 files" } }),
  call("edit", "src/booking/store.ts", { result: { outcome: "ok", text: "", ...(edit.view ? { view: edit.view } : {}) } }),
  call("run", "pnpm test --run booking && git push origin HEAD:fix/idempotent-booking-and-more", {
    startedAt: at,
    endedAt: at + 11_400,
    result: { outcome: "ok", text: "", view: output },
    request: approval,
    answer: { choice: "once" },
    answeredBy: { person: "terminal" },
  }),
  call("run", "pnpm tsc --noEmit", {
    phase: "failed",
    startedAt: at,
    endedAt: at + 3_100,
    result: {
      outcome: "failed",
      text: "",
      end: "exit 2",
      view: {
        ...output,
        head: "src/booking/manual.ts:21:10 error TS2741: 'deliveryId' is missing",
        tail: "",
        omittedLines: 0,
        exitCode: 2,
      },
    },
  }),
  call("read", ".env.production", {
    phase: "denied",
    result: { outcome: "denied", text: "Not allowed.", end: "denied: ceiling, user, config.jsonc:22" },
  }),
  call("run", "pnpm db:migrate --env staging", {
    phase: "unknown",
    result: { outcome: "unknown", text: "The daemon stopped while this ran. It is not run again by itself." },
  }),
  call("edit", "migrations/0042_key.sql", {
    phase: "denied",
    result: { outcome: "denied", text: "x", end: "refused: “keep NOT NULL, fill first”" },
    request: edit,
    answer: { choice: "deny", note: "keep NOT NULL, fill first" },
    answeredBy: { person: "editor" },
  }),
];
const drawn = (columns: number) =>
  `\n${calls.flatMap((entry, i) => callLines(entry, style(columns, "plain"), { answer: { at: at + 6_000, here: i === 3 } })).join("\n")}\n`;

test("a call is one line with its outcome on the right, and long output keeps its first and last lines", () => {
  expect(drawn(80)).toMatchInlineSnapshot(`
    "
      ✓ read    src/booking/webhook.ts                                       1–118
      ✓ search  insertBooking(                                        3 in 3 files
      ✓ edit    src/booking/store.ts                                         +3 −1
           2 - ALTER TABLE booking ADD COLUMN key TEXT NOT NULL;
           2 + ALTER TABLE booking ADD COLUMN key TEXT;
           3 + CREATE UNIQUE INDEX booking_key ON booking (key)
           4 +   WHERE key IS NOT NULL;
      ✓ run     pnpm test --run booking && git push origin HEAD:fix/idemp…  11.4 s
          │ allowed once by you, here, after 58 s
          │ ✓ test/booking.test.ts (14 tests) 912 ms
          │ … 208 lines
          │ Tests  131 passed (131)
      ✗ run     pnpm tsc --noEmit                                   exit 2 · 3.1 s
          │ src/booking/manual.ts:21:10 error TS2741: 'deliveryId' is missing
      – read    .env.production             denied: ceiling, user, config.jsonc:22
      ? run     pnpm db:migrate --env staging                      outcome unknown
          │ The daemon stopped while this ran. It is not run again by itself.
      – edit    migrations/0042_key.sql
          │ refused by you, in the editor: “keep NOT NULL, fill first”
    "
  `);
});

test("at 60 columns the outcome moves to the line below, and nothing is cut", () => {
  expect(drawn(60)).toMatchInlineSnapshot(`
    "
      ✓ read src/booking/webhook.ts  1–118
      ✓ search insertBooking(
          3 in 3 files
      ✓ edit src/booking/store.ts  +3 −1
           2 - ALTER TABLE booking ADD COLUMN key TEXT NOT
               NULL;
           2 + ALTER TABLE booking ADD COLUMN key TEXT;
           3 + CREATE UNIQUE INDEX booking_key ON booking
               (key)
           4 +   WHERE key IS NOT NULL;
      ✓ run pnpm test --run booking && git push origin
          HEAD:fix/idempotent-booking-and-more
          11.4 s
          │ allowed once by you, here, after 58 s
          │ ✓ test/booking.test.ts (14 tests) 912 ms
          │ … 208 lines
          │ Tests  131 passed (131)
      ✗ run pnpm tsc --noEmit
          exit 2 · 3.1 s
          │ src/booking/manual.ts:21:10 error TS2741:
          │ 'deliveryId' is missing
      – read .env.production
          denied: ceiling, user, config.jsonc:22
      ? run pnpm db:migrate --env staging
          outcome unknown
          │ The daemon stopped while this ran. It is not run
          │ again by itself.
      – edit migrations/0042_key.sql
          │ refused by you, in the editor: “keep NOT NULL,
          │ fill first”
    "
  `);
});

test("a call with an unknown outcome shows the explanation, and its output until then once", () => {
  const text = "The daemon stopped while this ran.\n\nThe end of its output until then:\none\ntwo";
  const view = { ...output, head: "", tail: "one\ntwo\n", omittedLines: 0, exitCode: null };
  const entry = call("run", "make", { phase: "unknown", result: { outcome: "unknown", text, view } });
  expect(callLines(entry, style(80, "plain"), {})).toEqual([
    "  ? run     make                                               outcome unknown",
    "      │ The daemon stopped while this ran.",
    "      │ one",
    "      │ two",
  ]);
});

test("the full view shows all of a call", () => {
  const [entry] = calls.slice(2);
  expect(callLines(entry!, style(80, "plain"), { extent: "all" })).toMatchInlineSnapshot(`
    [
      "  ✓ edit    src/booking/store.ts                                         +3 −1",
      "       1   -- idempotent booking",
      "       2 - ALTER TABLE booking ADD COLUMN key TEXT NOT NULL;",
      "       2 + ALTER TABLE booking ADD COLUMN key TEXT;",
      "       3 + CREATE UNIQUE INDEX booking_key ON booking (key)",
      "       4 +   WHERE key IS NOT NULL;",
    ]
  `);
});

test("a running call shows its duration and its newest output", () => {
  const entry = call("run", "pnpm test", { phase: "running", startedAt: at - 8_400 });
  expect(runningLine(entry, style(60, "plain"), { since: at - 8_400, output: "131 of 212" })).toBe(
    "  … run     pnpm test  131 of 212                      8 s",
  );
});

test("no label breaks its line", () => {
  const entry = call("run", "echo a\nb\u001b[2Jc", { result: { outcome: "ok", text: "" } });
  expect(callLines(entry, style(60, "plain"))).toEqual(["  ✓ run echo a bc"]);
});

test("the new errors that an edit caused are shown below its diff", () => {
  const files = [{ path: "src/cart.ts", line: 5, note: "Expected 2 arguments, but got 1." }];
  const entry = {
    ...call("edit", "src/price.ts", { result: { outcome: "ok", text: "", ...(edit.view ? { view: edit.view } : {}) } }),
    diagnostics: { text: "This edit caused 1 new error.", view: { type: "files" as const, files } },
  };
  const lines = callLines(entry, style(80, "plain"));
  expect(lines.at(-1)).toContain("src/cart.ts");
  expect(lines.at(-1)).toContain("Expected 2 arguments, but got 1.");
});
