import { expect, test } from "vitest";
import { childEnv, commandEnv } from "./child-env.ts";

test("a command gets harmless variables and those that the user lists", () => {
  const from = {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    HTTPS_PROXY: "http://p",
    TERM: "xterm",
    OPENAI_API_KEY: "k",
    EDITOR: "vi",
    FOO: "1",
    EMPTY: undefined,
  };
  expect(childEnv(from, ["FOO", "EMPTY"])).toEqual({
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    HTTPS_PROXY: "http://p",
    TERM: "xterm",
    FOO: "1",
  });
});

test("a command gets no relative folders in PATH", () => {
  expect(childEnv({ PATH: "./node_modules/.bin:/usr/bin::bin:/bin" })["PATH"]).toBe("/usr/bin:/bin");
  expect(childEnv({ Path: ".\\bin;C:\\Tools" }, [], "windows")["Path"]).toBe("C:\\Tools");
});

test("no list can add variables that hold secrets or load code", () => {
  const names = [
    "GITHUB_TOKEN",
    "X_API_KEY",
    "AWS_PROFILE",
    "DB_PASSWORD",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "BASH_ENV",
    "ENV",
    "GIT_DIR",
    "BATON_HOME",
    "npm_config_secret_SECRET",
  ];
  const from = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(childEnv({ ...from, PATH: "/bin", TERM: "xterm" }, names)).toEqual({ PATH: "/bin", TERM: "xterm" });
});

test("a command gets an editor, pager or terminal only if the user lists the variable", () => {
  const from = { PATH: "/bin", TERM: "xterm", EDITOR: "vi", VISUAL: "vi", PAGER: "less", GIT_EDITOR: "vi" };
  expect(commandEnv(from)).toMatchObject({ TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", AWS_PAGER: "", GIT_TERMINAL_PROMPT: "0" });
  expect(commandEnv(from)["EDITOR"]).toContain("No editor can be opened here");
  expect(commandEnv(from, ["EDITOR", "TERM", "GIT_EDITOR", "MANPAGER"])).toMatchObject({
    EDITOR: "vi",
    TERM: "xterm",
    PAGER: "cat",
    MANPAGER: "cat",
  });
  expect(commandEnv(from, ["GIT_EDITOR"])["GIT_EDITOR"]).toContain("No editor");
});

test("on Windows, programs get the variables that they need to start, and only one PATH", () => {
  const from = { Path: "C:\\Tools", SystemRoot: "C:\\Windows", TEMP: "C:\\T", OPENAI_API_KEY: "k", HOMEPATH: "x" };
  const env = childEnv(from, [], "windows");
  expect(env).toEqual({ Path: "C:\\Tools", SystemRoot: "C:\\Windows", TEMP: "C:\\T", TERM: "dumb" });
  expect(childEnv({}, [], "windows")).toEqual({ PATH: "C:\\Windows\\System32;C:\\Windows", TERM: "dumb" });
});
