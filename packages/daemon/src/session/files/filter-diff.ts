/** A diff without the files that `isHidden` names, and the names of those files. */
export function filterDiff(diff: string, isHidden: (path: string) => boolean): { diff: string; leftOut: string[] } {
  const leftOut: string[] = [];
  const kept = diff.split(/^(?=diff --git )/m).filter((section) => {
    const hidden = pathsIn(section).filter(isHidden);
    leftOut.push(...hidden);
    return hidden.length === 0;
  });
  return { diff: kept.join(""), leftOut: [...new Set(leftOut)] };
}

/** The paths in the header of one file's diff. Git quotes unusual names and prefixes them with `a/` and `b/`. */
function pathsIn(section: string): string[] {
  const head = section.split(/^@@ /m, 1)[0] ?? "";
  const named = [
    ...head.matchAll(/^(?:--- |\+\+\+ )"?(?:[ab]\/)?(.+?)"?\t?$/gm),
    ...head.matchAll(/^(?:rename|copy) (?:from|to) "?(.+?)"?$/gm),
  ];
  const both = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/m.exec(head);
  const paths = [...named.flatMap(([, path]) => path ?? []), ...(both?.slice(1) ?? [])];
  return [...new Set(paths.filter((path) => path !== "/dev/null"))];
}
