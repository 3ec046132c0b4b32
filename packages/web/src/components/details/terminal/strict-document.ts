/**
 * A document for a library that writes style elements and style attributes, which the policy of the page does not allow. The elements that it
 * makes use style sheets of the document and properties instead, which the policy allows because only scripts of the page can set them.
 */
export function strictDocument(real: Document): Document {
  return new Proxy(real, {
    get(target, key) {
      if (key === "createElement") return (name: string) => (name === "style" ? styleElement(target) : plainElement(target, name));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function plainElement(real: Document, name: string): HTMLElement {
  const element = real.createElement(name);
  element.setAttribute = (attribute, value) => {
    if (attribute === "style") element.style.cssText = value;
    else HTMLElement.prototype.setAttribute.call(element, attribute, value);
  };
  return element;
}

/** An invisible element whose text is a style sheet. */
function styleElement(real: Document): HTMLElement {
  const element = real.createElement("span");
  const sheet = new CSSStyleSheet();
  element.hidden = true;
  real.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, "textContent", { set: (text: string) => sheet.replaceSync(text) });
  element.remove = () => {
    real.adoptedStyleSheets = real.adoptedStyleSheets.filter((each) => each !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}
