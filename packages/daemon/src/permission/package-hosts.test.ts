import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { gateHost } from "./package-hosts.ts";

const MANIFESTS: Record<string, string> = {
  "package.json": "registry.npmjs.org",
  "pyproject.toml": "pypi.org",
  "requirements-dev.txt": "files.pythonhosted.org",
  "Cargo.toml": "static.crates.io",
  "go.mod": "proxy.golang.org",
  Gemfile: "rubygems.org",
  "build.gradle.kts": "repo.maven.apache.org",
  "App.csproj": "api.nuget.org",
  "composer.json": "repo.packagist.org",
};

test("a trusted project reaches the registries of its own manifests, and no others", () => {
  for (const file of Object.keys(MANIFESTS)) {
    const workspace = mkdtempSync(path.join(tmpdir(), "baton-test-manifest-"));
    writeFileSync(path.join(workspace, file), "");
    const gateRule = (resource: string, trusted = true) => gateHost({ action: "network", resource }, { workspace, trusted }).gateRule;
    for (const [other, host] of Object.entries(MANIFESTS)) {
      const isOwn =
        other === file || (file.startsWith("re") && other.startsWith("py")) || (file.startsWith("py") && other.startsWith("re"));
      expect([file, host, gateRule(host)?.effect]).toEqual([file, host, isOwn ? "allow" : undefined]);
      for (const near of [`${host}:22`, `x${host}`, `${host}.evil.test`, `a.${host}`]) expect(gateRule(near)).toBeUndefined();
      expect(gateRule(host, false)).toBeUndefined();
    }
    expect(gateRule(MANIFESTS[file] ?? "")?.source).toContain(file);
    rmSync(workspace, { recursive: true });
  }
});
