type OutputThrottle = { push(chunk: Buffer): void; flush(): void };

type OutputThrottleOptions = {
  /** The number of bytes that pass before the output is throttled. */
  free: number;
  take: (chunk: Buffer) => void;
  /** Skips bytes. The number of their line ends is an estimate. */
  lose: (bytes: number, lines: number) => void;
};

const NEWEST = 128 * 1024;
const EVERY_MS = 200;
const COUNTED = 8;

/**
 * Passes bytes on until there are too many. From then on it passes only the newest bytes of each interval, so that no program can keep the
 * daemon busy with reading.
 */
export function outputThrottle({ free, take, lose }: OutputThrottleOptions): OutputThrottle {
  let seen = 0;
  let lost = 0;
  let linesPerByte = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let hasGap = false;
  let timer: NodeJS.Timeout | undefined;

  function dropOldest(): void {
    const oldest = held.shift();
    if (!oldest) return;
    heldBytes -= oldest.length;
    if (lost++ % COUNTED === 0) linesPerByte = lineEnds(oldest) / oldest.length;
    lose(oldest.length, Math.round(oldest.length * linesPerByte));
    hasGap = true;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    const start = hasGap ? text.indexOf(10) + 1 : 0;
    hasGap = false;
    if (start > 0) lose(start, 1);
    if (start < text.length) take(text.subarray(start));
  }

  return {
    push(chunk) {
      seen += chunk.length;
      if (seen <= free) return take(chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      while (heldBytes - (held[0]?.length ?? 0) >= NEWEST) dropOldest();
      timer ??= setTimeout(flush, EVERY_MS);
      return undefined;
    },
    flush,
  };
}

function lineEnds(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) count++;
  return count;
}
