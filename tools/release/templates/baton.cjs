#!/usr/bin/env node
// Old versions of Node must be able to parse this file, so that they can print which version is needed.
var version = process.versions.node.split(".").map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 15)) {
  process.stderr.write(
    "baton: Node 24.15 or newer is required, and this is " +
      process.version +
      ".\nInstall it from https://nodejs.org, or with your version manager: nvm install 24\n",
  );
  process.exit(2);
}
import("../cli/dist/main.js").catch(function (error) {
  if (error && error.code === "ERR_MODULE_NOT_FOUND")
    process.stderr.write("baton: The installation is incomplete. Repeat it: npm install --global @baton/cli\n(" + error.message + ")\n");
  else process.stderr.write("baton: " + (error && error.stack ? error.stack : error) + "\n");
  process.exit(1);
});
