import { mapLines } from "./map-lines.ts";

/** An error in a file. Lines and columns count from 1. */
export type FileError = { line: number; column: number; message: string; code?: string | undefined; source?: string | undefined };

/** The errors and the text of a file at one time. `text` is undefined if it does not matter because the file did not change. */
type CheckedFile = { errors: readonly FileError[]; text?: string | undefined };

/**
 * The errors of a file that did not exist before. An error that moved with its line is the same error, even if its line moved to
 * another place of the file. An error whose text changed on the same line is not new either, because types in messages change easily.
 */
export function newErrors(before: CheckedFile, after: CheckedFile): FileError[] {
  const map = before.text === undefined || after.text === undefined ? sameLine : mapLines(before.text, after.text);
  const old = before.errors.map((error) => ({ error, line: map(error.line), isUsed: false }));
  const take = (fits: (each: (typeof old)[number]) => boolean): boolean => {
    const found = old.find((each) => !each.isUsed && fits(each));
    if (found) found.isUsed = true;
    return found !== undefined;
  };
  const passes: ((error: FileError) => boolean)[] = [
    (error) => take(({ error: was, line }) => line === error.line && hasSameText(was, error)),
    (error) => take(({ error: was, line }) => line === undefined && hasSameText(was, error)),
    (error) => take(({ error: was, line }) => line === error.line && hasSameCode(was, error)),
  ];
  const left = passes.reduce((errors, isKnown) => errors.filter((error) => !isKnown(error)), distinct(after.errors));
  return left.sort((a, b) => a.line - b.line || a.column - b.column);
}

const sameLine = (line: number): number => line;

const hasSameCode = (a: FileError, b: FileError): boolean => a.source === b.source && a.code === b.code;
const hasSameText = (a: FileError, b: FileError): boolean => hasSameCode(a, b) && a.message === b.message;

/** Servers may report one error twice, for example for two configurations of the project. */
function distinct(errors: readonly FileError[]): FileError[] {
  return [...new Map(errors.map((error) => [JSON.stringify([error.line, error.column, error.code, error.message]), error])).values()];
}
