import type { FileProblem, ModeReadResult, ModeScope } from "../mode-read-context.ts";
import { readClaudeMarkdown } from "./claude.ts";
import { readBatonMarkdown } from "./markdown.ts";
import { readModeList } from "./mode-list.ts";
import { readOpencodeConfig, readOpencodeMode, readOpencodeAgent } from "./opencode.ts";
import { readClineMode, readVscodeMode } from "./vscode-and-cline.ts";

/** The reader for a file. */
export type ModeFileKind =
  | "own-page"
  | "mode-list"
  | "opencode-page"
  | "opencode-mode-page"
  | "opencode-config"
  | "claude-page"
  | "vscode-page"
  | "cline-page";

/** `name`: the path of the file inside its location, if that is a folder. `problemOf`: checks the files that this one names. */
type Reader = (file: string, text: string, scope: ModeScope, name: string, problemOf?: FileProblem) => Promise<ModeReadResult>;

/** One lenient reader per format. The results have passed the strict schema. */
export const formatReaders: Record<ModeFileKind, Reader> = {
  "own-page": readBatonMarkdown,
  "mode-list": readModeList,
  "opencode-page": readOpencodeAgent,
  "opencode-mode-page": readOpencodeMode,
  "opencode-config": readOpencodeConfig,
  "claude-page": readClaudeMarkdown,
  "vscode-page": readVscodeMode,
  "cline-page": readClineMode,
};
