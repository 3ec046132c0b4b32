// The parts of the web platform that the client engine uses. Node, browsers and extension hosts all have them.

type Timer = { readonly timer: unique symbol };

declare function setTimeout(callback: () => void, delayMs: number): Timer;
declare function clearTimeout(timer: Timer | undefined): void;
declare function atob(base64: string): string;
declare const crypto: { randomUUID: () => string };
