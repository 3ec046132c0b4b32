import { expect, test } from "vitest";
import { call, openHome, openSettledHome } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

test("`baton search` shows the matches by session, and its options narrow them", async () => {
  await using home = openHome();
  const steps = [{ text: "", calls: [call("write_file", { path: "src/feijoa.ts", content: "x\n" })] }, { text: "The physalis rounds." }];
  await home.run(["run", "Where is the kumquat?", "--model", home.script(...steps), "--on-request", "allow"]);
  await home.run(["run", "Another kumquat", "--model", home.script({ text: "Yes." }), "--mode", "ask"]);

  const all = await home.run(["search", "KUMQUAT"]);
  expect(all).toMatchObject({ code: 0, err: "" });
  expect(all.out).toMatch(
    /^\w{10} {2}.*\[ask\].*\n {2}prompt, .*: Another kumquat\n\w{10} {2}.*\[code\].*\n {2}prompt, .*: Where is the kumquat\?\n$/,
  );
  for (const options of [
    ["--mode", "code"],
    ["--file", "feijoa.ts"],
    ["--here", "--file", "src/feijoa.ts", "--since", "1d"],
  ])
    expect((await home.run(["search", "kumquat", ...options])).out).not.toContain("Another");
  expect((await home.run(["search", "kumquat", "--until", "2d"])).out).toMatch(/^Nothing matches/);

  const { matches } = JSON.parse((await home.run(["search", "physalis", "--json"])).out) as { matches: object[] };
  expect(matches).toMatchObject([
    {
      kind: "answer",
      snippet: [
        { text: "The ", hit: false },
        { text: "physalis", hit: true },
        { text: " rounds.", hit: false },
      ],
    },
  ]);

  expect(await home.run(["search", "*"])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("no letters and no digits") as string,
  });
  expect(await home.run(["search", "x", "--since", "yesterday"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("must be a date") as string,
  });
});

test("/search opens the session that the user picks", async () => {
  await using home = await openSettledHome();
  await home.run(["run", "Where is the kumquat?", "--model", home.script({ text: "In the physalis." })]);
  const terminal = home.terminal(["--model", home.script({ text: "Hello." })]);
  await terminal.prompt("/search physalis");
  await terminal.until("Open which session?");
  await terminal.until("In the physalis.");
  terminal.press(KEY.enter);
  await terminal.until("› Where is the kumquat?");
  terminal.press(`/search nowhere${KEY.enter}`);
  await terminal.until("Nothing matches “nowhere”.");
});
