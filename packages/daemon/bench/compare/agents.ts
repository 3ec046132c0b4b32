import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Call } from "./server.ts";

/**
 * The setting of an agent: its own home and workspace, the model's address, the folder with the installed agents, and a Node
 * for it alone.
 */
export type Place = { home: string; work: string; url: string; installed: string; node: string };
export type Start = { command: string; args: string[]; env: Record<string, string> };
export type Agent = {
  name: string;
  /** The package whose version is reported. None for Baton. */
  package?: string;
  /** Its task at a step: read one small file. */
  call: (file: string, work: string) => Call;
  start: (place: Place) => Start;
};

const PROMPT = "go";
const MAX = "1000";
const OURS = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

const write = (file: string, content: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
};

const baton = (name: string, call: Agent["call"]): Agent => ({
  name,
  call,
  start: ({ home, url, node }) => {
    write(path.join(home, "config.jsonc"), {
      model: "local/m",
      permissions: { command: "allow" },
      providers: { local: { kind: "openai-compatible", baseUrl: `${url}/v1` } },
    });
    return { command: node, args: [OURS, "run", PROMPT, "--max-steps", MAX], env: { BATON_HOME: home } };
  },
});

/**
 * Baton, with a read tool and with a shell, and the other agents: all headless, asking nothing, without telemetry and updates.
 */
export const agents: readonly Agent[] = [
  baton("Baton", (file) => ({ tool: "read_file", input: { path: file } })),
  baton("Baton, by shell", (file) => ({ tool: "run_command", input: { command: `cat ${file}` } })),
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    call: (file, work) => ({ tool: "Read", input: { file_path: path.join(work, file) } }),
    start: ({ url, installed }) => ({
      command: path.join(installed, "node_modules/@anthropic-ai/claude-code-linux-x64/claude"),
      args: ["-p", PROMPT, "--allowedTools", "Read", "--max-turns", MAX, "--model", "claude-sonnet-4-5"],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "x",
        DISABLE_TELEMETRY: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_ERROR_REPORTING: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    }),
  },
  {
    name: "opencode",
    package: "opencode-ai",
    call: (file, work) => ({ tool: "read", input: { filePath: path.join(work, file) } }),
    start: ({ home, url, installed }) => {
      write(path.join(home, ".config/opencode/opencode.json"), {
        autoupdate: false,
        share: "disabled",
        permission: { "*": "allow" },
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "x" },
            models: { m: { tool_call: true, limit: { context: 200_000, output: 8_192 } } },
          },
        },
      });
      return {
        command: path.join(installed, "node_modules/opencode-linux-x64/bin/opencode"),
        args: ["run", PROMPT, "-m", "local/m"],
        env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
      };
    },
  },
  {
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    call: (file) => ({ tool: "read_file", input: { file_path: file } }),
    start: ({ home, url, installed, node }) => {
      write(path.join(home, ".gemini/settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
        model: { disableLoopDetection: true, maxSessionTurns: -1 },
      });
      return {
        command: node,
        args: [binOf("@google/gemini-cli", installed), "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", PROMPT],
        env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "x" },
      };
    },
  },
  {
    name: "Codex, by shell",
    package: "@openai/codex",
    call: (file) => ({ tool: "exec_command", input: { cmd: `cat ${file}` } }),
    start: ({ home, url, installed, node }) => {
      write(
        path.join(home, ".codex/config.toml"),
        [
          'model = "gpt-5"',
          'model_provider = "local"',
          "check_for_update_on_startup = false",
          "[analytics]",
          "enabled = false",
          "[model_providers.local]",
          'name = "local"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "LOCAL_KEY"',
        ].join("\n"),
      );
      return {
        command: node,
        args: [binOf("@openai/codex", installed), "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
        env: { CODEX_HOME: path.join(home, ".codex"), LOCAL_KEY: "x" },
      };
    },
  },
];

/** The program that a package installs. */
function binOf(name: string, installed: string): string {
  const folder = path.join(installed, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { bin: string | Record<string, string> };
  return path.join(folder, typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""));
}
