import path from "node:path";

const SCRIPTED = "scripted/";

/** Makes the path of a scripted model absolute, because the daemon has another working directory. */
export const resolveScriptedModel = (model: string): string =>
  model.startsWith(SCRIPTED) && model.length > SCRIPTED.length ? `${SCRIPTED}${path.resolve(model.slice(SCRIPTED.length))}` : model;
