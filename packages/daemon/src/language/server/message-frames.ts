/** Receives the messages of a stream, and the text between them that does not belong to a message. */
type FrameListener = { onMessage: (message: object) => void; onNoise: (text: string) => void };

/** Larger messages are skipped. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** The number of bytes without a header that are kept while the header may still be incomplete. */
const MAX_HEADER = 8 * 1024;
const HEADER = /Content-Length: *(\d{1,10})\r\n(?:[A-Za-z-]+:[^\r\n]*\r\n)*\r\n/i;

/**
 * Splits the standard output of a language server into messages. Text between messages is reported and skipped, and so is a message
 * that is not a JSON object. The returned function takes the next chunk.
 */
export function splitFrames({ onMessage, onNoise }: FrameListener): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  /** The length of the message that is arriving. Undefined before its header. */
  let length: number | undefined;
  /** The number of bytes of a message that is too large and still has to be skipped. */
  let skipped = 0;

  const join = (): Buffer => {
    const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = [];
    size = 0;
    return whole;
  };
  const putBack = (rest: Buffer): void => {
    if (rest.length > 0) {
      chunks = [rest];
      size = rest.length;
    }
  };

  /** Takes one header or one message from the buffer. False if more bytes are needed. */
  const step = (): boolean => {
    if (skipped > 0) {
      const whole = join();
      const now = Math.min(skipped, whole.length);
      skipped -= now;
      putBack(whole.subarray(now));
      return skipped === 0 && size > 0;
    }
    if (length !== undefined) {
      if (size < length) return false;
      const whole = join();
      report(whole.subarray(0, length));
      putBack(whole.subarray(length));
      length = undefined;
      return size > 0;
    }
    const whole = join();
    const text = whole.toString("latin1"); // one character for each byte
    const found = HEADER.exec(text);
    if (!found) {
      const kept = Math.max(0, whole.length - MAX_HEADER);
      if (kept > 0) onNoise(text.slice(0, kept));
      putBack(whole.subarray(kept));
      return false;
    }
    if (found.index > 0) onNoise(whole.subarray(0, found.index).toString());
    putBack(whole.subarray(found.index + found[0].length));
    const announced = Number(found[1]);
    if (announced > MAX_MESSAGE) {
      onNoise(`a message of ${announced} bytes`);
      skipped = announced;
    } else length = announced;
    return size > 0 || announced === 0;
  };

  const report = (bytes: Buffer): void => {
    try {
      const message: unknown = JSON.parse(bytes.toString());
      if (typeof message === "object" && message !== null && !Array.isArray(message)) return onMessage(message);
    } catch {
      // reported below
    }
    onNoise(bytes.subarray(0, 200).toString());
  };

  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (length !== undefined && size < length) return;
    while (step());
  };
}
