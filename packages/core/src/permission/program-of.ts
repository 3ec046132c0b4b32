/** The program of a command with its first argument, such as `npm run` or `sh ./build.sh`. */
export const programOf = (command: string): string => command.split(/\s+/, 2).join(" ");
