/** Members in which packages keep their version, or the place from which they are loaded. */
const VERSION = String.raw`(?:__version__|VERSION|version|__file__)`;
const PYTHON_IMPORT = /^import ([A-Za-z]\w*)(?: as ([A-Za-z]\w*))?$/;
const PYTHON_VALUE = new RegExp(String.raw`^([A-Za-z]\w*)\.${VERSION}$|^"[\w .:=-]*"$|^'[\w .:=-]*'$`);
const NODE_VALUE = new RegExp(
  String.raw`^(?:console\.log\()?require\((['"])((?:@[\w-]+/)?[\w-][\w.-]*)(?:/package\.json)?\1\)\.${VERSION}\)?;?$`,
);

/**
 * Returns the packages of which code prints the version, such as `import numpy; print(numpy.__version__)` and `require('react/package.json').version`.
 * Undefined if it does anything else.
 */
export function packageVersions(code: string, language: "python" | "node"): string[] | undefined {
  if (language === "node") {
    const name = NODE_VALUE.exec(code.trim())?.[2];
    return name === undefined ? undefined : [name];
  }
  const lines = code.split(/[;\n]/).flatMap((line) => line.trim() || []);
  const imports = lines.flatMap((line) => PYTHON_IMPORT.exec(line)?.slice(1, 3) ?? []).filter(Boolean);
  const isKnown = (value: string) => {
    const [found, name] = PYTHON_VALUE.exec(value) ?? [];
    return found !== undefined && (name === undefined || imports.includes(name));
  };
  const isPrinted = (line: string) => /^print\((.+)\)$/.exec(line)?.[1]?.split(", ").every(isKnown) === true;
  const others = lines.filter((line) => !PYTHON_IMPORT.test(line));
  const isPlain = imports.length > 0 && !imports.includes("antigravity") && others.length > 0; // it opens a browser
  return isPlain && others.every(isPrinted) ? imports : undefined;
}
