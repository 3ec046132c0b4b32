/** A program and its arguments. */
export type ProgramCommand = { file: string; args: readonly string[] };

/**
 * The files that a program may change in the workspace. `artifacts`: only folders of build results and installed packages, because
 * nobody allowed edits. `none`: the mode does not edit. `changes` names the exceptions of both.
 */
export type SandboxEdits = "all" | "artifacts" | "none";

/** The part of the machine that one program sees. All paths are real paths. */
export type SandboxView = {
  /** The workspace. The program starts here. */
  cwd: string;
  /** More folders of the session that it may write. */
  writable?: readonly string[];
  /** `all` by default. */
  edits?: SandboxEdits;
  /** Unless `edits` is `all`: existing files and folders of the workspace that it may change all the same. */
  changes?: readonly string[];
  /** More files and folders that it can read, outside of the workspace. */
  visible?: readonly string[];
  /** Files and folders that it cannot read, such as files with keys. */
  hidden?: readonly string[];
  /** Whether it has the network of the process that starts it. Undefined: the setting `network` decides. */
  keepsNetwork?: boolean;
  /** Files and folders that it can read but not change, such as those that editors run. */
  readOnly?: readonly string[];
  /** Every `.git` below the workspace and the other writable folders. What git executes there is read-only. */
  repositories?: readonly string[];
  /** Links with protected names. A mount cannot protect a link, so Baton only notices that one is new. */
  links?: readonly string[];
};

/** Isolates programs from the rest of the machine. */
export type Sandbox = {
  name: string;
  /** The same program inside. */
  wrap: (program: ProgramCommand, view: SandboxView) => ProgramCommand;
};
