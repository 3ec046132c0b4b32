import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openNamespace } from "../../src/system/sandbox-network/network-namespace.ts";
import { stracePath } from "../permission/strace.ts";
import { BUBBLEWRAP, hasBubblewrap } from "../support/bubblewrap.ts";

const DELAY_US = 200_000;

test.runIf(hasBubblewrap() && stracePath !== undefined)(
  "a network is ready for sandboxed commands when it opens, also if bubblewrap is slow to prepare it",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "baton-slow-"));
    const slow = path.join(folder, "bwrap");
    const tracing = `${stracePath} -f -qq -o /dev/null -e trace=write -e inject=write:delay_enter=${DELAY_US}`;
    writeFileSync(slow, `#!/bin/sh\nexec ${tracing} ${BUBBLEWRAP} "$@"\n`);
    chmodSync(slow, 0o755);
    const namespace = await openNamespace("slow", slow);
    try {
      const { file, args } = namespace.wrap({ file: BUBBLEWRAP, args: ["--unshare-user-try", "--ro-bind", "/", "/", "--", "echo", "ran"] });
      const { stdout, stderr } = spawnSync(file, args, { encoding: "utf8" });
      expect([stdout, stderr]).toEqual(["ran\n", ""]);
    } finally {
      namespace.close();
      rmSync(folder, { recursive: true });
    }
  },
);
