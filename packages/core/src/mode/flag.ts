/** Flags that a mode or the config may set, and the tool that each switches on. The others have no effect. */
export const flags: Readonly<Record<string, string | undefined>> = {
  runSlashCommand: "run_slash_command",
  enableCodeAnalysis: "codebase_search",
  enableExperimentalFeatures: undefined,
  enableAdvancedMode: undefined,
  enableAutoMode: undefined,
  enableOrchestration: undefined,
};
