/** The version of this client; the daemon tells its own. */
export const VERSION = "0.1.0";
