/** Whether a model is one of Mistral's, whose templates are strict wherever they run. */
export const isMistral = (id: string): boolean => /(?:mis|minis|magis|codes|devs|pix)tral/i.test(id);
