import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

test("a session can be forked, exported, imported and deleted", async () => {
  await using home = openHome();
  const model = home.script(
    { text: "Hello.", calls: [call("ask_followup_question", { question: "Which?", follow_up: ["a", "b"] })] },
    { text: "Bye." },
  );
  const ran = JSON.parse((await home.run(["run", "hi", "--model", model, "--json"])).out.trim().split("\n").at(-1) ?? "") as {
    session: string;
  };
  const forked = JSON.parse((await home.run(["fork", ran.session, "--json"])).out) as { id: string };
  expect(forked.id).not.toBe(ran.session);
  const exported = await home.run(["export", ran.session]);
  const last = exported.out.trim().split("\n").length;
  const beyond = await home.run(["fork", ran.session, "--at", String(last + 1)]);
  expect(beyond).toMatchObject({
    code: 2,
    err: `baton: There is no event ${last + 1} in the session ${ran.session}. The last one is ${last}.\n`,
  });
  expect((await home.run(["fork", ran.session, "--at", String(last)])).code).toBe(0);
  expect(exported.out.split("\n")[0]).toContain('"session.created"');
  expect((await home.run(["export", ran.session, "--markdown"])).out).toContain("> hi");

  const imported = JSON.parse((await home.run(["import", "-", "--json"], exported.out)).out) as { id: string };
  const text = async (id: string) => (await home.run(["export", id, "--markdown"])).out;
  expect(await text(imported.id)).toBe(await text(ran.session));

  expect((await home.run(["delete", ran.session])).code).toBe(2); // no user is present
  expect((await home.run(["delete", ran.session, "--yes", "--json"])).out).toContain(ran.session);
  expect((await home.run(["show", ran.session])).code).toBe(2);
  expect(await text(forked.id)).toContain("Hello.");
  const broken = await home.run(["import", "-"], '{"type":"nonsense"}\n');
  expect(broken.code).not.toBe(0);
});

test("a session of many megabytes can be exported and imported completely", async () => {
  await using home = openHome();
  const long = (letter: string) => ({ text: letter.repeat(400_000) });
  const model = home.script(long("a"), long("b"), long("ä"), long("d"));
  for (let i = 0; i < 4; i++) await home.run(["run", "go", ...(i === 0 ? [] : ["--continue"]), "--model", model]);
  const [first] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const exported = await home.run(["export", first?.id ?? ""]);
  expect(exported.out.length).toBeGreaterThan(1_600_000);
  const { code, out, err } = await home.run(["import", "-", "--json"], exported.out);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const again = await home.run(["export", (JSON.parse(out) as { id: string }).id, "--markdown"]);
  expect(again.out).toBe((await home.run(["export", first?.id ?? "", "--markdown"])).out);
});
