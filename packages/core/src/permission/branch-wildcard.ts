/** A rule about pushes to one remote that ends in the middle of a branch, such as `git push -u origin dev*`. */
const BRANCH_OF_RULE = /^git push (?:-\S+ )*[^\s*?-][^\s*?]* (?:-\S+ )*[^\s*?:-][^\s*?:]*\*$/;

/**
 * True unless a wildcard in a branch of `pattern` runs into another branch in `text`. `git push origin dev*` allows `git push origin dev-2`, but
 * neither `git push origin dev:main` nor `git push origin dev main`.
 */
export function matchStaysOnBranch(pattern: string, text: string): boolean {
  if (!BRANCH_OF_RULE.test(pattern)) return true;
  const [branch = "", ...more] = text.split(/\s+/).slice(pattern.split(" ").length - 1);
  return !branch.includes(":") && more.every((word) => word.startsWith("-"));
}
