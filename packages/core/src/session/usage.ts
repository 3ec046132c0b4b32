import type { Usage } from "../protocol/call.ts";

export const noUsage: Usage = { input: 0, cachedInput: 0, output: 0, cost: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  output: a.output + b.output,
  cost: a.cost + b.cost,
});
