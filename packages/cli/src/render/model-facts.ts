/** The size and price of a model: `200k tokens, $3 in, $15 out per million`. */
export function modelFacts({
  local,
  contextWindow,
  price,
}: {
  local?: boolean | undefined;
  contextWindow?: number | undefined;
  price?: { input: number; output: number } | undefined;
}): string {
  return [
    contextWindow === undefined ? "" : `${Math.round(contextWindow / 1_000)}k tokens`,
    price === undefined ? "" : price.input + price.output === 0 ? "free" : `$${price.input} in, $${price.output} out per million`,
    local === true ? "on this machine" : "",
  ]
    .filter((fact) => fact !== "")
    .join(", ");
}
