import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { changeSetting, formSettings } from "./change-setting.ts";
import { openConfigEditor } from "./edit-jsonc.ts";

const folder = await mkdtemp(path.join(tmpdir(), "baton-setting-"));
afterAll(() => rm(folder, { recursive: true }));
const file = path.join(folder, "config.jsonc");
const edit = openConfigEditor(file);
const TEXT = `{
  // my own words
  "model": "a/b", /* here */
  "limits": { "cost": 5 } // dollars
}
`;

test("a setting can be changed, added and removed, and every other character stays", async () => {
  await writeFile(file, TEXT);
  expect(await changeSetting(edit, ["limits", "cost"], 7)).toEqual({ written: true });
  expect(await readFile(file, "utf8")).toBe(TEXT.replace("5", "7"));
  expect(await changeSetting(edit, ["model"], undefined)).toEqual({ written: true });
  expect(await changeSetting(edit, ["sandbox"], "on")).toEqual({ written: true });
  const after = await readFile(file, "utf8");
  expect(after).toContain("// my own words");
  expect(after).toContain('"sandbox": "on"');
  expect(after).not.toContain('"model"');
  expect(await changeSetting(edit, ["model"], undefined)).toEqual({ written: false });
});

test("an invalid value, and a section that a form must not change, are refused and nothing is written", async () => {
  await writeFile(file, TEXT);
  expect(await changeSetting(edit, ["limits", "cost"], -1)).toMatchObject({ refused: { code: "setting_invalid" } });
  expect(await changeSetting(edit, ["model"], "no-slash")).toMatchObject({
    refused: { message: "model: write a model as provider/model." },
  });
  for (const setting of [["terminal"], ["terminal", "statusLine"], ["terminal", "statusLine", "command"]] as const)
    expect(await changeSetting(edit, setting, "touch /tmp/x")).toMatchObject({
      refused: { message: expect.stringContaining("names a command that runs in your terminal") as unknown },
    });
  expect(await changeSetting(edit, ["database"], { url: "http://x" })).toMatchObject({ refused: { code: "setting_invalid" } });
  expect(await readFile(file, "utf8")).toBe(TEXT);
});

test("a section that is one value or an object never loses one to the other", async () => {
  await writeFile(file, `{ "network": "off" }\n`);
  expect(await changeSetting(edit, ["network", "allow"], ["a.test"])).toMatchObject({
    refused: { message: `network.allow: it is "off", which has no parts. Remove that value first.` },
  });
  expect(await changeSetting(edit, ["network"], "on")).toEqual({ written: true });
  expect(await changeSetting(edit, ["network"], undefined)).toEqual({ written: true });
  expect(await changeSetting(edit, ["network", "allow"], ["a.test"])).toEqual({ written: true });
  expect(await changeSetting(edit, ["network", "deny"], ["b.test"])).toEqual({ written: true });
  expect(await changeSetting(edit, ["network"], "off")).toMatchObject({
    refused: { message: "network: it has deny and allow, which would be lost. Remove them first." },
  });
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ network: { allow: ["a.test"], deny: ["b.test"] } });
});

test("a form gets the schema and the values of its sections, and no keys of providers", () => {
  const { schema, values } = formSettings({ model: "a/b", providers: { a: { kind: "openai", apiKey: "secret", models: {} } } });
  expect(values).toEqual({ model: "a/b" });
  expect(schema).toMatchObject({ model: { type: "string" }, limits: { type: "object", properties: { cost: { type: "number" } } } });
  expect(JSON.stringify(schema)).not.toContain("apiKey");
});
