import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { internet } from "../support/internet.ts";
import { script } from "../support/script.ts";

const works = hasBubblewrap();
const isNight = Boolean(process.env["BATON_EVERY_PAIR"]);

/** The files that the script tries to write. `link` leads to `elsewhere`, and `../outside` is beside the workspace. */
const TARGETS = [
  "build/a",
  "build/deep/b",
  "src/a.ts",
  "new.txt",
  "out/c",
  "given.txt",
  "folder.d/e",
  "link/f",
  "elsewhere/f",
  "../outside",
];
const below = (...folders: string[]) =>
  TARGETS.filter((file) => folders.some((folder) => file === folder || file.startsWith(`${folder}/`)));

/** Declared paths, and the files that they open. */
const WRITES: Record<string, { writes: string[]; opens: string[] }> = {
  nothing: { writes: [], opens: [] },
  "a folder": { writes: ["build"], opens: below("build") },
  "a file": { writes: ["src/a.ts"], opens: ["src/a.ts"] },
  "missing files and folders": {
    writes: ["new.txt", "out", "folder.d/", "unused", "unused.txt"],
    opens: below("new.txt", "out", "folder.d"),
  },
  "an argument": { writes: ["{file}"], opens: ["given.txt"] },
  "a link": { writes: ["link"], opens: [] },
  outside: { writes: ["../outside"], opens: [] },
  everything: { writes: ["."], opens: TARGETS.filter((file) => file !== "../outside" && file !== "link/f") },
};
const HOSTS = ["one.invalid", "two.invalid", "one.invalid:8080"];
const DECLARED_HOSTS = [[], ["one.invalid"], ["two.invalid", "one.invalid:8080"]];
const RUNS = [[], ["git"]];

const all = Object.entries(WRITES).flatMap(([what, { writes, opens }], i) =>
  DECLARED_HOSTS.flatMap((hosts, j) =>
    RUNS.map((runs, k) => ({ what, writes, opens, hosts, runs, isOften: (i + j) % 3 === 0 && (i + k) % 2 === 0 })),
  ),
);
/** A push tests each kind of path once, and a night every combination. */
const cases = isNight ? all : all.filter(({ isOften }) => isOften);

const probe = (port: number) => `cat > /dev/null
for file in ${TARGETS.join(" ")}; do
  mkdir -p "$(dirname "$file")" 2> /dev/null
  { echo changed > "$file"; } 2> /dev/null
done
for host in ${HOSTS.join(" ")}; do curl -s -m 20 "http://$host/" | grep -q "hello from $host" && echo "reached $host"; done
curl -s -m 5 --noproxy '*' http://127.0.0.1:${port}/ > /dev/null && echo "reached the machine"
env -u HTTP_PROXY -u http_proxy -u ALL_PROXY -u all_proxy curl -s -m 5 http://1.1.1.1/ > /dev/null && echo "reached an address"
true
`;

/** The workspace before each call. */
function prepare({ workspace }: TestDaemon): void {
  for (const name of readdirSync(workspace)) if (name !== ".baton") rmSync(path.join(workspace, name), { recursive: true });
  for (const folder of ["build", "src", "elsewhere"]) mkdirSync(path.join(workspace, folder));
  writeFileSync(path.join(workspace, "src/a.ts"), "before\n");
  symlinkSync("elsewhere", path.join(workspace, "link"));
}

const changed = ({ workspace }: TestDaemon): string[] =>
  TARGETS.filter((file) => {
    const whole = path.join(workspace, file);
    return existsSync(whole) && readFileSync(whole, "utf8") === "changed\n";
  });

test.runIf(works)(
  "a script changes only the paths and reaches only the hosts that it declares, whatever programs it declares",
  async () => {
    using web = await internet();
    await using daemon = await TestDaemon.start({
      config: { sandbox: "auto", permissions: { "*": "allow" } },
      env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url },
    });
    for (const [i, { writes, hosts, runs }] of cases.entries()) {
      daemon.write(`.baton/tools/probe-${i}.sh`, probe(web.port));
      const input = { type: "object", properties: { file: { type: "string" } }, required: ["file"] };
      daemon.write(`.baton/tools/probe-${i}.tool.json`, JSON.stringify({ description: "Tries.", input, access: { writes, hosts, runs } }));
    }
    const { api } = daemon.connect();
    const { workspace: cwd } = daemon;
    await api.workspace.trust.mutate({ cwd, trusted: true });
    const { tools } = await api.tool.list.query({ cwd });
    await api.tool.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes: tools.map(({ hash }) => hash), approved: true });

    for (const [i, { what, opens, hosts, runs }] of cases.entries()) {
      prepare(daemon);
      const session = await daemon.session({
        model: script(daemon, [{ calls: [{ tool: `probe-${i}`, input: { file: "given.txt" } }] }, { text: "Done." }]),
      });
      await session.prompt("go");
      await session.until(
        "the end or a question",
        ({ state }) => (state.turns > 0 && !state.turn) || state.calls.some(({ phase }) => phase === "waiting"),
      );
      if (session.state.turn) await session.answer({ choice: "once" }); // a path outside of the workspace asks
      await session.untilEnd();
      const text = session.finished[0]?.result.text ?? "";
      const reached = [...text.matchAll(/^reached (.*)$/gm)].map(([, host]) => host);
      const seenThroughLink = opens.includes("elsewhere/f") ? ["link/f"] : [];
      expect([what, hosts, runs, changed(daemon), reached, text]).toEqual([
        what,
        hosts,
        runs,
        TARGETS.filter((file) => opens.includes(file) || seenThroughLink.includes(file)),
        HOSTS.filter((host) => hosts.includes(host)),
        text, // it explains a failure
      ]);
      expect(["unused", "unused.txt"].filter((name) => existsSync(path.join(cwd, name)))).toEqual([]);
      session[Symbol.dispose]();
    }
  },
);
