const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ .]*([.:].*)?$/i;

/** Returns the reason why Windows would not read this path as a file: it is a device, a stream, a share or a short name. */
export function windowsFault(named: string): string | undefined {
  if (/^[\\/]{2}/.test(named)) return "The path names a share or a device. Name a file on a local drive.";
  const parts = named.replace(/^[a-z]:/i, "").split(/[\\/]/);
  if (parts.some((part) => DEVICE.test(part))) return "The path names a device of Windows. Choose another name.";
  if (parts.some((part) => part.includes(":"))) return "The path names a stream of a file. Leave out the colon.";
  if (parts.some((part) => /~\d/.test(part))) return "The path holds a short name. Write the whole name.";
  return undefined;
}
