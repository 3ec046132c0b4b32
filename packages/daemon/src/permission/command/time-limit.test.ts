import { expect, test, vi } from "vitest";
import { effectOf, repository, rule } from "../../../test/support/limited-repository.ts";
import { isOverTime, withTimeLimit } from "./time-limit.ts";

test("a text whose judgement takes too long asks, and what it is known to do stays denied", async () => {
  using folder = await repository();
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_600));
  const text = "ls src; ls src; ls src";
  const limit = rule("command", "git push*", "deny");
  const effects = [effectOf(folder, text, limit), effectOf(folder, `git push; ${text}`, limit)];
  clock.mockRestore();
  expect(effects).toEqual(["ask", "deny"]);
  expect(effectOf(folder, text, limit)).toBe("allow");
});

test("the time limit ends with the judgement, also if that throws an error", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 4_000));
  const within = withTimeLimit(isOverTime);
  const failing = () =>
    withTimeLimit(() => {
      throw new Error("a mistake in the gate");
    });
  expect(failing).toThrow("a mistake in the gate");
  expect([within, isOverTime()]).toEqual([true, false]);
  clock.mockRestore();
});
