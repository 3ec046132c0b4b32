/** The files that a map of the repository names. */
export function filesInMap(map: string): string[] {
  let folder = "";
  return map.split("\n").flatMap((line) => {
    const file = /^ {2}(.+?): /.exec(line)?.[1];
    if (file !== undefined) return [folder + file];
    folder = line === "./" ? "" : line;
    return [];
  });
}
