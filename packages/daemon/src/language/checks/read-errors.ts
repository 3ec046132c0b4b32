import type { Diagnostic, DocumentDiagnosticReport } from "vscode-languageserver-protocol";
import { toUri, type LanguageServer } from "../server/language-server.ts";
import type { FileError } from "./new-errors.ts";
import { isTypeScriptServer, readTypeScriptErrors } from "./tsserver-errors.ts";

/** The errors of files by their paths. A file without an entry has no errors, or its errors are unknown. */
export type ErrorsByFile = Map<string, readonly FileError[]>;

/** How long a server that publishes diagnostics on its own may take, for example while it loads the project. */
const PUBLISH_MS = 20_000;

/** Reads the errors of these open files, and those of other files if the server reports them. Waits until they are complete. */
export async function readErrors(server: LanguageServer, files: readonly string[]): Promise<ErrorsByFile> {
  if (isTypeScriptServer(server)) return readTypeScriptErrors(server, files);
  if (server.capabilities.diagnosticProvider) {
    const reports = await Promise.all(files.map(async (file) => [file, errorsAmong(await pull(server, file))] as const));
    return new Map(reports);
  }
  if (!(await server.published.settled(PUBLISH_MS))) server.published.skipUnchanged();
  return new Map([...server.published.all()].map(([file, diagnostics]) => [file, errorsAmong(diagnostics)]));
}

const MAX_ATTEMPTS = 3;
/** The server was interrupted by a newer message and can be asked again. */
const CANCELLED: ReadonlySet<unknown> = new Set([-32_800, -32_801, -32_802]);

async function pull(server: LanguageServer, file: string, attempt = 1): Promise<readonly Diagnostic[]> {
  try {
    const report = await server.request<DocumentDiagnosticReport>("textDocument/diagnostic", { textDocument: { uri: toUri(file) } });
    return report.kind === "full" ? report.items : [];
  } catch (error) {
    const { code } = error as { code?: unknown }; // the shape of the library's errors
    if (!CANCELLED.has(code) || attempt === MAX_ATTEMPTS) throw error;
    return pull(server, file, attempt + 1);
  }
}

const ERROR = 1;

const errorsAmong = (diagnostics: readonly Diagnostic[]): FileError[] =>
  diagnostics
    .filter(({ severity = ERROR }) => severity === ERROR)
    .map(({ range: { start }, message, code, source }) => ({
      line: start.line + 1,
      column: start.character + 1,
      message: typeof message === "string" ? message : message.value,
      code: code === undefined ? undefined : String(code),
      source,
    }));
