import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "./process.mjs";

const results = path.join(root, ".turbo", "results");
const summaries = path.join(root, ".turbo", "runs");

export function clearResults() {
  for (const folder of [results, summaries]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
}

/**
 * The tasks that failed since `clearResults`, by turbo's names ("//#formatted"), with the end of their output if turbo keeps
 * it.
 */
export function brokenTasks() {
  if (!existsSync(summaries)) return [];
  const runs = readdirSync(summaries).map((name) => JSON.parse(readFileSync(path.join(summaries, name), "utf8")));
  return runs
    .flatMap(({ tasks }) => tasks)
    .filter(({ execution }) => (execution?.exitCode ?? 0) !== 0)
    .map(({ taskId, logFile }) => ({
      task: taskId,
      lastWords: logFile ? endOf(path.join(root, logFile)) : "Its output is above.",
    }));
}

function endOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-20).join("\n") : "";
}

/** The failed tests of the last run, with file, name and the first line of the message. */
export function failedTests(tasks) {
  return expectedResults(tasks)
    .flatMap((file) => readResult(file)?.testResults ?? [])
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = path.relative(root, name).replaceAll(path.sep, "/");
      const failed = assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0) return [`${file}\n${beginningOf(message)}`];
      return failed.map((test) => `${file} > ${test.fullName}\n${beginningOf(test.failureMessages.join("\n"))}`);
    });
}

function beginningOf(message) {
  const lines = message.split("\n").filter((line) => !line.includes("/node_modules/"));
  return lines.slice(0, 12).join("\n").slice(0, 1500).replaceAll(/^/gm, "    ");
}

/** A file whose tests could not be collected, and a package without a result, count as one failure each. */
export function countResults(tasks) {
  const counts = expectedResults(tasks).map((file) => {
    const result = readResult(file);
    return result === undefined ? { passed: 0, failed: 1 } : count(result);
  });
  return { passed: sum(counts.map((each) => each.passed)), failed: sum(counts.map((each) => each.failed)) };
}

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function count({ numPassedTests, numFailedTests, testResults }) {
  const uncollected = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + uncollected.length };
}

function expectedResults(tasks) {
  const folders = [path.join(root, "tools"), ...readdirSync(path.join(root, "packages")).map((name) => path.join(root, "packages", name))];
  return folders
    .filter((folder) => existsSync(path.join(folder, "package.json")))
    .flatMap((folder) => {
      const { scripts = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      return ["unit", "scenario"]
        .filter((task) => tasks.includes(task) && scripts[task])
        .map((task) => path.join(results, `${path.basename(folder)}-${task}.json`));
    });
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
