import type { DiagramAnswer, DiagramQuestion } from "./draw-diagram.ts";
import { loadChunk } from "../../load-chunk.ts";

/**
 * Runs inside the frame that draws diagrams. The library writes styles into the document, which the policy of the page forbids and that of
 * the frame allows.
 */
export function serveDiagrams(): void {
  addEventListener("message", ({ data, origin, ports: [port] }: MessageEvent<DiagramQuestion>) => {
    if (origin !== location.origin || !port) return;
    const answer = (said: DiagramAnswer) => port.postMessage(said);
    loadChunk(() => import("./mermaid.ts"))
      .then(({ mermaidSvg }) => mermaidSvg(data.source, data.dark))
      .then(
        (svg) => answer({ svg }),
        (error: unknown) => answer({ problem: error instanceof Error ? error.message : String(error) }),
      );
  });
  parent.postMessage("diagrams are served", location.origin);
}
