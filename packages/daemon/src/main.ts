console.error("The daemon is not written yet.");
