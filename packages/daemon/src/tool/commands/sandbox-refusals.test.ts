import { expect, test } from "vitest";
import { refusalText, sandboxRefusals } from "./sandbox-refusals.ts";

test.for([
  ["touch: cannot touch '/usr/x': Read-only file system", [{ wanted: "write", name: "/usr/x" }]],
  ["/bin/sh: 1: cannot create /root/out.txt: Read-only file system", [{ wanted: "write", name: "/root/out.txt" }]],
  ["Error: EROFS: read-only file system, open '/work/a b.txt'", [{ wanted: "write", name: "/work/a b.txt" }]],
  ["OSError: [Errno 30] Read-only file system: '/etc/x'", [{ wanted: "write", name: "/etc/x" }]],
  ["fatal: Unable to create '/w/.git/index.lock': Read-only file system", [{ wanted: "write", name: "/w/.git/index.lock" }]],
  ["curl: (6) Could not resolve host: api.example.com", [{ wanted: "host", name: "api.example.com" }]],
  ["npm error getaddrinfo EAI_AGAIN registry.npmjs.org", [{ wanted: "host", name: "registry.npmjs.org" }]],
  ["dial tcp: lookup proxy.golang.org: no such host", [{ wanted: "host", name: "proxy.golang.org" }]],
  ["ping: connect: Network is unreachable", [{ wanted: "network" }]],
  ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?", [{ wanted: "service", name: "Docker" }]],
  ["error: .env: can only add regular files, symbolic links or git-directories", [{ wanted: "read", name: ".env" }]],
  ["cat: /home/ada/notes.txt: No such file or directory", [{ wanted: "see", name: "/home/ada/notes.txt" }]],
  ["sh: 1: cannot create /data/out.txt: Directory nonexistent", [{ wanted: "see", name: "/data/out.txt" }]],
  ["Error: ENOENT: no such file or directory, open '/home/ada/a b.json'", [{ wanted: "see", name: "/home/ada/a b.json" }]],
  ["cat: /work/missing.txt: No such file or directory\nls: /usr/x: No such file or directory", []],
  ["2 tests failed", []],
] as const)("%s", ([output, refusals]) => {
  expect(sandboxRefusals(output, "/work")).toEqual(refusals);
});

test("the text names each refusal and how to ask the user", () => {
  expect(refusalText(sandboxRefusals("x: Could not resolve host: a.example\ncannot touch '/usr/x': Read-only file system", "/work"))).toBe(
    "The sandbox did not let the command write /usr/x, reach a.example. If it must, call run_command again with outside_sandbox, and Baton asks the user.",
  );
  expect(refusalText([])).toBeUndefined();
});
