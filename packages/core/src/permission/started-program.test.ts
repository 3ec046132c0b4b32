import { expect, test } from "vitest";
import { startedBy } from "./started-program.ts";

test("a pattern with a runner or an interpreter in front is also one of what it starts", () => {
  expect(startedBy("npx prisma migrate*")).toEqual(["prisma migrate*"]);
  expect(startedBy("npx -y @org/tool *")).toEqual(["@org/tool *"]);
  expect(startedBy("poetry run python manage.py migrate*")).toContain("manage.py migrate*");
  expect(startedBy("bash -x scripts/deploy.sh*")).toEqual(["scripts/deploy.sh*"]);
  expect(startedBy("python -m app.seed --all*")).toContain("app/seed.py --all*");
  expect(startedBy("node_modules/.bin/jest*")).toEqual(["jest *"]);
});

test("a pattern that leaves the program open starts nothing", () => {
  for (const pattern of ["npx *", "node *", "bash -c *", "python *.py", "sh ./*", "npm exec *", "git push*", "*"])
    expect([pattern, startedBy(pattern)]).toEqual([pattern, []]);
});

test("a task is one of each program that runs tasks of the project", () => {
  const tasks = ["npm run", "pnpm run", "yarn run", "bun run", "turbo run", "deno task"].map((name) => `${name} e2e*`);
  for (const pattern of ["npm run e2e*", "yarn e2e*", "bun run e2e*"])
    expect([pattern, ...startedBy(pattern)].toSorted()).toEqual([...new Set([pattern, ...tasks])].toSorted());
  expect(startedBy("npm test*")).toContain("yarn run test*");
  expect(startedBy("npm install*")).toEqual([]);
});

test("a pattern that builds and runs a program is one of that program", () => {
  expect(startedBy("go run ./cmd/migrate*")).toEqual(["migrate *", "dlv debug ./cmd/migrate*"]);
  expect(startedBy("cargo run --release --bin migrate*")).toEqual(["migrate *"]);
});
