type FaultCode =
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
 * An expected failure of the machine. `message` says what happened and what to do. `siblings`: the names in the folder of a missing file.
 */
export type SystemFault = { fault: FaultCode; message: string; siblings?: readonly string[] };

export const systemFault = (code: FaultCode, message: string): SystemFault => ({ fault: code, message });

/** Converts an error of the operating system about `shown`. Rethrows any other error as a defect. */
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
      return systemFault("forbidden", `${shown} is on a read-only disk.`);
    case "ENOSPC":
    case "EDQUOT":
      return systemFault("disk_full", `The disk is full, so ${shown} was not changed. Free some space, then try again.`);
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
