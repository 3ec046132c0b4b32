import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { resolveCliArgsFromVSCodeExecutablePath, runTests } from "@vscode/test-electron";
import { companion, extensionFolder, settingsFor } from "./editor.ts";
import { packed } from "./packed.ts";
import { builtSuite } from "./suite.ts";

/** How the extension gets into the editor: as built, or installed from the file that ships. */
export type As = "built" | "packed";

/** Runs the suite in an installed editor, with a separate profile. Returns the exit code of its extension host. */
export async function runInstalled(executable: string, as: As, workspace: string, env: Record<string, string>): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-code-"));
  const at = (name: string) => path.join(folder, name);
  for (const name of ["bin", "data/User", "extensions"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("data/User/settings.json"), JSON.stringify(settingsFor(at("bin"))));
  const profile = [
    "--user-data-dir",
    at("data"),
    "--extensions-dir",
    at("extensions"),
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  try {
    if (as === "packed") {
      const [program = executable, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
      execFileSync(existsSync(program) ? program : executable, [...args, ...profile, "--install-extension", packed()], {
        stdio: ["ignore", "ignore", "inherit"],
      });
    }
    return await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: as === "packed" ? companion(folder) : extensionFolder,
      extensionTestsPath: await builtSuite(folder),
      extensionTestsEnv: env,
      reuseMachineInstall: true, // the profile belongs to the test
      launchArgs: [workspace, ...profile, "--disable-workspace-trust"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
