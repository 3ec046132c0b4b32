/** `error`: the definition has no effect. `warning`: it has an effect, but not as written. `info`: a note. */
export type Severity = "error" | "warning" | "info";

export type DiagnosticCode =
  | "bad_escape"
  | "bad_json"
  | "bad_regex"
  | "bad_slug"
  | "bad_value"
  | "bad_yaml"
  | "blank_field"
  | "duplicate_field"
  | "duplicate_group"
  | "duplicate_slug"
  | "file_too_large"
  | "flag_without_effect"
  | "ignored_group"
  | "incomplete_model"
  | "limit_without_effect"
  | "missing_field"
  | "model_without_provider"
  | "not_expressible"
  | "not_modes"
  | "not_taken_over"
  | "project_cannot_grant"
  | "project_cannot_widen"
  | "renamed"
  | "reserved_group"
  | "reserved_slug"
  | "too_long"
  | "cannot_coordinate"
  | "shadowed"
  | "unknown_field"
  | "unknown_group"
  | "unknown_tool"
  | "unreadable"
  | "unsafe_path"
  | "unsettled"
  | "untrusted"
  | "wrong_type";

/** A problem in a mode file: where it is (line and column from 1), and what to do. */
export type ModeDiagnostic = {
  file: string;
  line: number;
  column: number;
  severity: Severity;
  code: DiagnosticCode;
  slug?: string;
  message: string;
  fix?: string;
};
