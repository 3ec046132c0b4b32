import { expect, test } from "vitest";
import { serviceDefinition, type ServiceFacts } from "./service-definition.ts";

const facts: ServiceFacts = {
  node: "/opt/node 24/bin/node",
  program: '/home/a/100%/"$baton"/main.js',
  home: "/home/a",
  user: "a",
  uid: 1000,
  logFile: "/home/a/log & more/daemon.log",
  variables: { PATH: "/usr/bin:/bin", COST: "$5" },
};

test("a systemd unit quotes spaces, quotes, percent and dollar signs", () => {
  const { file } = serviceDefinition("linux", facts) ?? {};
  expect(file?.path).toBe("/home/a/.config/systemd/user/baton.service");
  expect(file?.text).toContain('ExecStart="/opt/node 24/bin/node" "/home/a/100%%/\\"$$baton\\"/main.js"\n');
  expect(file?.text).toContain('Environment="COST=$5"\n');
});

test("a systemd unit follows XDG_CONFIG_HOME", () => {
  const { file } = serviceDefinition("linux", { ...facts, variables: { XDG_CONFIG_HOME: "/cfg" } }) ?? {};
  expect(file?.path).toBe("/cfg/systemd/user/baton.service");
});

test("a launch agent escapes XML and restarts only after a failure", () => {
  const { file, start } = serviceDefinition("darwin", facts) ?? {};
  expect(file?.path).toBe("/home/a/Library/LaunchAgents/dev.baton.daemon.plist");
  expect(file?.text).toContain("<string>/home/a/log &amp; more/daemon.log</string>");
  expect(file?.text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
  expect(start).toEqual([["launchctl", "bootstrap", "gui/1000", file?.path]]);
});

test("a scheduled task needs no file and starts at logon", () => {
  const service = serviceDefinition("win32", { ...facts, node: "C:\\Program Files\\node.exe", program: "C:\\baton\\main.js" });
  expect(service?.file).toBeUndefined();
  expect(service?.start[0]).toContain('"C:\\Program Files\\node.exe" "C:\\baton\\main.js"');
});

test("an unknown platform has no service", () => expect(serviceDefinition("freebsd", facts)).toBeUndefined());
