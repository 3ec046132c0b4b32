export const COMPOSE_FILES: readonly string[] =
  `docker-compose.yml docker-compose.yaml docker-compose.override.yml docker-compose.override.yaml compose.yml compose.yaml
  compose.override.yml compose.override.yaml`.split(/\s+/);

/** Files with commands that a program runs without an argument that names them. */
export const RUN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", "JUSTFILE", ".justfile"],
  ...Object.fromEntries(["docker", "docker-compose", "podman"].map((name) => [name, COMPOSE_FILES])),
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json"]])),
};
