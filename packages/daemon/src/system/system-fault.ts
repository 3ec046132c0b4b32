export type FaultCode =
  | "refused"
  | "missing"
  | "not_a_file"
  | "not_a_folder"
  | "binary"
  | "too_large"
  | "forbidden"
  | "moved"
  | "disk_full"
  | "bad_pattern"
  | "not_started"
  | "too_many"
  | "failed";

/**
 * Why the machine could not do what was asked, in words that say what to do. An expected thing, so it is a value.
 * `siblings` are the names that lie where a missing file was looked for.
 */
export type SystemFault = { fault: FaultCode; message: string; siblings?: readonly string[] };

export const systemFault = (code: FaultCode, message: string): SystemFault => ({ fault: code, message });

/** What an error of the operating system means for `shown`; anything else is a defect and is thrown on. */
export function toSystemFault(error: unknown, shown: string): SystemFault {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return systemFault("missing", `There is no ${shown}.`);
    case "ENOTDIR":
    case "EEXIST":
      return systemFault("not_a_folder", `A part of the path ${shown} is a file, not a folder.`);
    case "EISDIR":
      return systemFault("not_a_file", `${shown} is a folder.`);
    case "ELOOP":
      return systemFault("moved", `${shown} has become a link since it was checked. Call the tool again.`);
    case "EACCES":
    case "EPERM":
      return systemFault("forbidden", `${shown}: permission denied.`);
    case "EROFS":
      return systemFault("forbidden", `${shown} lies on a disk that cannot be written.`);
    case "ENOSPC":
    case "EDQUOT":
      return systemFault("disk_full", `The disk is full; ${shown} is as it was. Free some space, then try again.`);
    case "ENXIO":
      return systemFault("not_a_file", `${shown} is not a regular file.`);
    case "EIO":
    case "ESTALE":
    case "EMFILE":
    case "ENFILE":
    case "ENAMETOOLONG":
    case "ETXTBSY":
    case "EFBIG":
      return systemFault("failed", `${shown} could not be used: ${error instanceof Error ? error.message : code}.`);
  }
  throw error;
}
