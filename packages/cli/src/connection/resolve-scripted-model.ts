import path from "node:path";

const SCRIPTED = "scripted/";

/** A model as the daemon is asked for it: the file of a script is meant as seen from here, and the daemon stands elsewhere. */
export const resolveScriptedModel = (model: string): string =>
  model.startsWith(SCRIPTED) && model.length > SCRIPTED.length ? `${SCRIPTED}${path.resolve(model.slice(SCRIPTED.length))}` : model;
