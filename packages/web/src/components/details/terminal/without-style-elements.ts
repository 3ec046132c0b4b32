/**
 * Runs a function of a library that makes style elements, which the policy of the page does not allow. It gets elements that change style
 * sheets of the document instead. The policy allows these, because only scripts of the page can make them. The function must not wait.
 */
export function withoutStyleElements(work: () => void): void {
  const make = document.createElement.bind(document);
  document.createElement = (name: string) => (name === "style" ? styleElement(make("span")) : make(name));
  try {
    work();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** An invisible element whose text is a style sheet. */
function styleElement(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  element.hidden = true;
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, "textContent", {
    set(text: string) {
      sheet.replaceSync(text);
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}
