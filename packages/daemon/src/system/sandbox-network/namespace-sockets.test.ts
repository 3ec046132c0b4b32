import { expect, test } from "vitest";
import { openSocketHelper } from "./namespace-sockets.ts";

test("a helper that starts again is not affected by the end of the previous one", async () => {
  const helper = openSocketHelper((program) => program, { PATH: "/usr/bin:/bin" });
  try {
    for (let round = 0; round < 5; round++) {
      const { server, port } = await helper.listen();
      expect(port).toBeGreaterThan(0);
      server.close();
      helper.close();
    }
  } finally {
    helper.close();
  }
});

test("a request is refused at once if the helper ends", async () => {
  const helper = openSocketHelper(() => ({ file: process.execPath, args: ["-e", "process.exit(1)"] }), { PATH: "/usr/bin:/bin" });
  await expect(helper.listen()).rejects.toThrow("the helper in the network of the sandbox has ended");
});
