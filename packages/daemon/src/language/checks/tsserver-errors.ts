import type { LanguageServer } from "../server/language-server.ts";
import type { FileError } from "./new-errors.ts";

const REQUEST = "typescript.tsserverRequest";

/** A diagnostic in the protocol of tsserver. Lines and offsets count from 1. */
type TypeScriptDiagnostic = { start: { line: number; offset: number }; text: string; code?: number; category: string };

/** True for typescript-language-server, which can pass on a request to tsserver. */
export const isTypeScriptServer = ({ capabilities }: LanguageServer): boolean =>
  capabilities.executeCommandProvider?.commands.includes(REQUEST) ?? false;

/**
 * Asks tsserver for the errors of each file. typescript-language-server only publishes diagnostics, and does not publish that a file still
 * has none, so Baton could not tell when they are complete.
 */
export async function readTypeScriptErrors(server: LanguageServer, files: readonly string[]): Promise<Map<string, FileError[]>> {
  const errors = new Map<string, FileError[]>();
  for (const file of files) {
    const syntactic = await ask(server, "syntacticDiagnosticsSync", file);
    const semantic = await ask(server, "semanticDiagnosticsSync", file);
    errors.set(file, [...syntactic, ...semantic].filter(({ category }) => category === "error").map(toError));
  }
  return errors;
}

async function ask(server: LanguageServer, command: string, file: string): Promise<TypeScriptDiagnostic[]> {
  const answer = await server.request<{ body?: TypeScriptDiagnostic[] } | null>("workspace/executeCommand", {
    command: REQUEST,
    arguments: [command, { file }],
  });
  return answer?.body ?? [];
}

const toError = ({ start, text, code }: TypeScriptDiagnostic): FileError => ({
  line: start.line,
  column: start.offset,
  message: text,
  code: code === undefined ? undefined : String(code),
  source: "typescript",
});
