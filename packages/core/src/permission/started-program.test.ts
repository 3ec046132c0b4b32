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
  expect(startedBy("npm run e2e*")).toEqual(["pnpm run e2e*", "yarn run e2e*", "bun run e2e*", "turbo run e2e*"]);
  expect(startedBy("npm test*")).toContain("yarn run test*");
  expect(startedBy("yarn e2e*")).toEqual(["yarn run e2e*"]);
  expect(startedBy("npm install*")).toEqual([]);
});
