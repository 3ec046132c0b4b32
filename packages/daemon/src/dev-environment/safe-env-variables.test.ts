import { expect, test } from "vitest";
import { safeVariables } from "./safe-env-variables.ts";

const isOfProject = (folder: string): boolean => folder.startsWith("/work");

test.for([
  ["APP_NAME", "shop", "kept"],
  ["DATABASE_HOST", "localhost", "kept"],
  ["NODE_ENV", "test", "kept"],
  ["JAVA_HOME", "/opt/java", "kept"],
  ["GOROOT", "/usr/lib/go", "kept"],
  ["JAVA_HOME", "/work/java", "dropped"],
  ["JAVA_HOME", "java", "dropped"],
  ["AWS_PROFILE", "x", "dropped"],
  ["API_TOKEN", "x", "dropped"],
  ["DB_PASSWORD", "x", "dropped"],
  ["LD_PRELOAD", "x", "dropped"],
  ["NODE_OPTIONS", "--require x", "dropped"],
  ["NODE_PATH", "x", "dropped"],
  ["PYTHONPATH", "lib", "dropped"],
  ["PYTHONSTARTUP", "x", "dropped"],
  ["PERL5OPT", "-Mx", "dropped"],
  ["RUBYOPT", "-rx", "dropped"],
  ["BASH_ENV", "x", "dropped"],
  ["PROMPT_COMMAND", "x", "dropped"],
  ["IFS", "x", "dropped"],
  ["GIT_SSH_COMMAND", "x", "dropped"],
  ["GIT_CONFIG_GLOBAL", "x", "dropped"],
  ["PAGER", "cat", "dropped"],
  ["EDITOR", "vim", "dropped"],
  ["LESSOPEN", "|x", "dropped"],
  ["RIPGREP_CONFIG_PATH", "x", "dropped"],
  ["npm_config_script_shell", "x", "dropped"],
  ["DOTNET_STARTUP_HOOKS", "x", "dropped"],
  ["RUSTC_WRAPPER", "x", "dropped"],
  ["https_proxy", "http://x", "dropped"],
  ["XDG_CONFIG_HOME", "/work/config", "dropped"],
  ["HOME", "/work", "dropped"],
  ["TMPDIR", "/work", "dropped"],
  ["KUBECONFIG", "/home/me/.kube/work", "kept"],
  ["KUBECONFIG", "/work/kubeconfig", "dropped"],
  ["KUBECONFIG", "kubeconfig", "dropped"],
  ["KUBECONFIG", "/home/me/.kube/work:/work/kubeconfig", "dropped"],
  ["GNUPGHOME", "/work/.gnupg", "dropped"],
  ["GH_CONFIG_DIR", "/work/gh", "dropped"],
  ["HELM_NAMESPACE", "shop", "kept"],
  ["A-B", "x", "dropped"],
  ["LONG", "x".repeat(40_000), "dropped"],
  ["PATH", "/work/bin", "neither"],
  ["DIRENV_DIFF", "x", "neither"],
] as const)("%s=%s is %s", ([name, value, result]) => {
  const { kept, dropped } = safeVariables({ [name]: value }, isOfProject);
  expect([Object.keys(kept), dropped]).toEqual([result === "kept" ? [name] : [], result === "dropped" ? [name] : []]);
});
