/** The demo: a scripted model that works on a copy of the sample project. */
export const DEMO_MODEL = "demo/tour";
export const DEMO_PROMPT = "Customers cannot book the last seats of an event. Find out why and fix it.";
