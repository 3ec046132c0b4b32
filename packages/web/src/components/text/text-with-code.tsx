/** A sentence of Baton, in which text between backticks is code. */
export const TextWithCode = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>));
