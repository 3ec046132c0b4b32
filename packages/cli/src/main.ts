console.log("baton: the terminal client is not written yet.");
