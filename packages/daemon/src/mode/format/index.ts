import type { Read, Scope } from "../read-context.ts";
import { readClaudePage } from "./claude.ts";
import { readOwnPage } from "./markdown.ts";
import { readModeList } from "./mode-list.ts";
import { readOpencodeConfig, readOpencodeModePage, readOpencodePage } from "./opencode.ts";
import { readClinePage, readVscodePage } from "./vscode-and-cline.ts";

/** Which reader a file needs. */
export type Kind =
  | "own-page"
  | "mode-list"
  | "opencode-page"
  | "opencode-mode-page"
  | "opencode-config"
  | "claude-page"
  | "vscode-page"
  | "cline-page";

/** `name` is the path of the file inside its place, where the place is a folder. */
export type Reader = (file: string, text: string, scope: Scope, name: string) => Promise<Read>;

/** One lenient reader per format. What they give has passed the one strict schema. */
export const readers: Record<Kind, Reader> = {
  "own-page": readOwnPage,
  "mode-list": readModeList,
  "opencode-page": readOpencodePage,
  "opencode-mode-page": readOpencodeModePage,
  "opencode-config": readOpencodeConfig,
  "claude-page": readClaudePage,
  "vscode-page": readVscodePage,
  "cline-page": readClinePage,
};
