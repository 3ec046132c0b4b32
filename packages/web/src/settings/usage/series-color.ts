/** Colours of models from the one used most, and one for all further ones. Each stands beside a name; none is the one that calls a person. */
const HUES = ["m-code", "m-build", "m-debug", "m-orchestrator", "m-coordinator"];

export const SERIES: number = HUES.length + 1;

/** The class that sets the colour of the model of this rank. */
export const seriesColor = (rank: number): string => HUES[rank] ?? "m-configuration";
