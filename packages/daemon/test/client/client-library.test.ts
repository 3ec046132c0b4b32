import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { TestDaemon } from "../support/daemon.ts";

const node = promisify(execFile);
/** A package that depends on this one, like a client. */
const client = fileURLToPath(new URL("../../../cli", import.meta.url));

/** The built entry points of the client library, each with its name and its source. */
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === "object" && "default" in entry && entry.default === "./dist/client.js"
    ? [[name.slice(2), entry["@baton/source"]] as const]
    : [],
);

const namesIn = (source: string): string[] => {
  const text = readFileSync(fileURLToPath(new URL(`../../${source}`, import.meta.url)), "utf8");
  return [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name ?? "");
};

test.each(entries)("the built library @baton/daemon/%s can be imported, with every name of its source", async (name, source) => {
  const { stdout } = await node(
    process.execPath,
    ["-e", `import("@baton/daemon/${name}").then((all) => console.log(Object.keys(all).join(" ")))`],
    { cwd: client },
  );
  expect(stdout.trim().split(" ")).toEqual(expect.arrayContaining(namesIn(source)));
});

test("a program that imports the built library talks to a daemon", async () => {
  await using daemon = await TestDaemon.start();
  const program = `
    import { connectTo } from "@baton/daemon/client";
    const connection = connectTo(JSON.parse(process.argv[1]), { client: "example" });
    console.log(JSON.stringify(await connection.api.session.list.query({})));
    await connection.close();`;
  const { stdout } = await node(process.execPath, ["--input-type=module", "-e", program, JSON.stringify(daemon.discovery)], {
    cwd: client,
  });
  expect(JSON.parse(stdout)).toEqual([]);
});
