import type { GatedAccess } from "@baton/core/permission/judge";
import type { Access } from "@baton/core/protocol/rule";
import { entriesOf } from "./command/files/walk-folder.ts";

/** The public registries of each package manager, by the files that show that a project uses it. */
const REGISTRIES: readonly (readonly [manifest: RegExp, name: string, hosts: string])[] = [
  [/^package\.json$/, "npm", "registry.npmjs.org registry.yarnpkg.com"],
  [/^(deno\.jsonc?|jsr\.json)$/, "Deno", "jsr.io npm.jsr.io deno.land registry.npmjs.org"],
  [/^(pyproject\.toml|setup\.(py|cfg)|Pipfile|requirements.*\.txt|uv\.lock)$/, "PyPI", "pypi.org files.pythonhosted.org"],
  [/^Cargo\.toml$/, "crates.io", "index.crates.io static.crates.io crates.io"],
  [/^go\.mod$/, "the Go proxy", "proxy.golang.org sum.golang.org"],
  [/^(Gemfile|.*\.gemspec)$/, "RubyGems", "rubygems.org index.rubygems.org"],
  [/^(pom\.xml|(build|settings)\.gradle.*)$/, "Maven", "repo.maven.apache.org repo1.maven.org plugins.gradle.org services.gradle.org"],
  [/^(.*\.(csproj|fsproj|sln)|nuget\.config)$/i, "NuGet", "api.nuget.org"],
  [/^composer\.json$/, "Packagist", "repo.packagist.org packagist.org"],
];

/**
 * Allows sandboxed commands to reach the public registries of a trusted project's package managers, unless a rule of the user says otherwise.
 * Hosts where anybody can store data, such as code forges, are not among them.
 */
export function gateHost(access: Access, { workspace, trusted }: { workspace: string; trusted: boolean }): GatedAccess {
  const { action, resource } = access;
  const rows = trusted ? REGISTRIES.filter(([, , hosts]) => hosts.split(" ").includes(resource)) : [];
  if (rows.length === 0) return access;
  const files = entriesOf(workspace)
    .slice(0, 10_000)
    .map(({ name }) => name);
  const used = rows.flatMap(([manifest, name]) => files.filter((file) => manifest.test(file)).map((file) => `${name}, because of ${file}`));
  const [source] = used;
  return source === undefined ? access : { ...access, gateRule: { action, resource, effect: "allow", layer: "defaults", source } };
}
