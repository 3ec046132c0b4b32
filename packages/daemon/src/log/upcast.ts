/** Lifts events of older shapes into today's. An event once released keeps its meaning; a new meaning is a new type. */
export const upcast = <E extends { type: string }>(event: E): E => event;
