import { loadChunk } from "../../load-chunk.ts";

export type DiagramQuestion = { source: string; dark: boolean };
export type DiagramAnswer = { svg: string } | { problem: string };

/** The address of the frame. The daemon serves it under a policy of its own. */
export const FRAME = "?diagrams";

let frame: Promise<Window> | undefined;

/** Draws a diagram as SVG. `hosted`: the page is in an editor, whose policy allows styles, so it needs no frame. Rejects with the reason. */
export async function drawDiagram(question: DiagramQuestion, hosted: boolean): Promise<string> {
  if (hosted) {
    const { mermaidSvg } = await loadChunk(() => import("./mermaid.ts"));
    return mermaidSvg(question.source, question.dark);
  }
  frame ??= openFrame();
  const target = await frame;
  const { port1, port2 } = new MessageChannel();
  const answer = await new Promise<DiagramAnswer>((settle) => {
    port1.onmessage = ({ data }: MessageEvent<DiagramAnswer>) => settle(data);
    target.postMessage(question, location.origin, [port2]);
  });
  port1.close();
  if ("problem" in answer) throw new Error(answer.problem);
  return answer.svg;
}

/** Opens the frame, out of sight but laid out, because the library measures its texts. */
function openFrame(): Promise<Window> {
  const element = document.createElement("iframe");
  element.className = "diagramframe";
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.src = `/${FRAME}`;
  document.body.append(element);
  return new Promise((ready) => {
    const heard = ({ source, origin }: MessageEvent) => {
      if (origin !== location.origin || source !== element.contentWindow || !element.contentWindow) return;
      removeEventListener("message", heard);
      ready(element.contentWindow);
    };
    addEventListener("message", heard);
  });
}
