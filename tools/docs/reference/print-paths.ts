// Prints Baton's paths on the platform that the first argument names.
const [, , platform = process.platform] = process.argv;
Object.defineProperty(process, "platform", { value: platform });
const { batonPaths } = await import("../../../packages/daemon/src/client/paths.ts");
process.stdout.write(JSON.stringify(batonPaths(process.env)));
