const HIDDEN_MS = 250;

/** Calls `draw` at the next frame, however often it is asked for; seldom while nobody sees the page. */
export function onNextFrame(draw: () => void): { ask: () => void; cancel: () => void } {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    [frame, timer] = [undefined, undefined];
  };
  const run = () => {
    cancel();
    draw();
  };
  return {
    cancel,
    ask: () => {
      if (frame !== undefined || timer !== undefined) return;
      if (document.visibilityState === "visible") frame = requestAnimationFrame(run);
      timer = setTimeout(run, HIDDEN_MS); // frames stop when the page is hidden meanwhile
    },
  };
}
