#!/usr/bin/env node
if (Number(process.versions.node.split(".", 1)[0]) < 24) {
  process.stderr.write(`baton: Node 24.15 or newer is required; this is ${process.version}. https://nodejs.org\n`);
  process.exit(2);
}
process.on("uncaughtException", (error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`baton: ${text}\n`); // Node would also print the line of the bundle, which is all of it
  process.exit(1);
});
const [{ batonPaths }, { useCompileCache }] = await Promise.all([import("@baton/daemon/paths"), import("@baton/daemon/compile-cache")]);
useCompileCache(batonPaths(process.env));
const { program } = await import("./program/program.ts");
await program(process.argv);
