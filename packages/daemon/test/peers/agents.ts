import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The setting of an agent: a separate workspace and home, the model that answers it, and the folder in which it is installed. */
export type Scene = { workspace: string; home: string; model: string; installed: string };

/** An agent: its command for a prompt, after its settings were written. */
export type Agent = {
  name: "claude" | "opencode" | "gemini" | "codex";
  program: string;
  prepare: (scene: Scene) => void;
  args: (prompt: string, scene: Scene) => string[];
  env: (scene: Scene) => Record<string, string>;
};

function write(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

/** The four agents of the matrix. None of them reaches anything but loopback. */
export const agents: readonly Agent[] = [
  {
    name: "claude",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
    prepare: () => undefined,
    args: (prompt, { workspace }) => [
      "-p",
      prompt,
      "--mcp-config",
      path.join(workspace, ".mcp.json"),
      "--strict-mcp-config",
      "--allowedTools",
      "mcp__baton",
      "--max-turns",
      "6",
    ],
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "x",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ENABLE_TOOL_SEARCH: "false",
    }),
  },
  {
    name: "opencode",
    program: "opencode-linux-x64/bin/opencode",
    prepare: ({ home, model }) =>
      write(path.join(home, ".config", "opencode", "opencode.json"), {
        provider: {
          loop: {
            npm: "@ai-sdk/openai-compatible",
            name: "loop",
            options: { baseURL: `${model}/v1`, apiKey: "x" },
            models: { m: { name: "m" } },
          },
        },
        model: "loop/m",
        small_model: "loop/m",
      }),
    args: (prompt) => ["run", prompt],
    env: ({ home }) => ({
      XDG_CONFIG_HOME: path.join(home, ".config"),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
  },
  {
    name: "gemini",
    program: "@google/gemini-cli/bundle/gemini.js",
    prepare: ({ home }) => {
      write(path.join(home, ".gemini", "settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
      });
    },
    args: (prompt) => ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "--skip-trust", "-p", prompt],
    env: ({ model }) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "x", GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  },
  {
    name: "codex",
    program: "@openai/codex/bin/codex.js",
    prepare: ({ home, model }) =>
      write(
        path.join(home, ".codex", "config.toml"),
        [
          'model = "gpt-5"',
          'model_provider = "loop"',
          "check_for_update_on_startup = false",
          'approval_policy = "never"',
          'sandbox_mode = "danger-full-access"',
          "[analytics]",
          "enabled = false",
          "[model_providers.loop]",
          'name = "loop"',
          `base_url = "${model}/v1"`,
          'wire_api = "responses"',
          "",
        ].join("\n"),
      ),
    args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
    env: () => ({ OPENAI_API_KEY: "x" }),
  },
];
