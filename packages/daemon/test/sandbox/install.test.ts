import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { connect, createServer as createProxy, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { createAuthority } from "../../src/system/sandbox-network/secrets/certificate-authority.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { Folder } from "../support/folder.ts";
import { script } from "../support/script.ts";

const REGISTRY = "registry.npmjs.org";
const HOST = "packages.test";

/**
 * A registry under a name of the test, with the packages of the public one. It is behind a proxy of the user, and its certificate is one of a
 * company: an authority in a file that the user's variables name.
 */
async function registry() {
  const folder = new Folder();
  const authority = await createAuthority();
  const certificates = path.join(folder.path, "company.pem");
  writeFileSync(certificates, authority.certificate);
  const server = createServer(await authority.issue(HOST), (request, response) => {
    fetch(`https://${REGISTRY}${request.url}`, { headers: { accept: request.headers.accept ?? "*/*" } })
      .then(async (found) => {
        const type = found.headers.get("content-type") ?? "";
        const body = Buffer.from(await found.arrayBuffer());
        response.writeHead(found.status, { "content-type": type });
        response.end(type.includes("json") ? body.toString().replaceAll(`https://${REGISTRY}/`, `https://${HOST}/`) : body);
      })
      .catch(() => response.writeHead(502).end());
  });
  const proxy = createProxy((client: Socket) => {
    client.on("error", () => undefined);
    client.once("data", (head) => {
      if (!head.toString("latin1").startsWith(`CONNECT ${HOST}:443 `)) return void client.end("HTTP/1.1 502 Unknown\r\n\r\n");
      const inside = connect((server.address() as AddressInfo).port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
      inside.on("error", () => client.destroy());
      client.pipe(inside).pipe(client);
    });
  });
  for (const each of [server, proxy]) await new Promise<void>((resolve) => void each.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    env: { HTTP_PROXY: url, HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: certificates },
    [Symbol.dispose]() {
      server.closeAllConnections();
      for (const each of [server, proxy]) each.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A push installs with npm, and a night with pnpm as well. */
test.runIf(hasBubblewrap())("npm and pnpm install packages in the sandbox, through both proxies", { timeout: 120_000 }, async () => {
  using web = await registry();
  const config = { sandbox: "on", permissions: { command: "allow" }, network: { allow: [HOST] } };
  await using daemon = await TestDaemon.start({ config, env: web.env });
  daemon.write("one/package.json", "{}\n");
  daemon.write("two/package.json", "{}\n");
  const installs = [
    "cd one && npm install --no-audit --no-fund is-odd@3.0.1",
    ...(process.env["BATON_EVERY_PAIR"] ? ["cd two && npm exec --yes pnpm@10.20.0 -- add is-odd@3.0.1"] : []), // it takes long
  ];
  const uses = ["one", "two"].slice(0, installs.length).map((folder) => `node -p "require('./${folder}/node_modules/is-odd')(3)"`);
  const commands = [...installs, uses.join(" && ")];
  commands.forEach((command, nth) => daemon.write(`${nth}.sh`, `export npm_config_registry=https://${HOST}/\n${command}\n`));
  const calls = commands.map((_, nth) => ({ calls: [{ tool: "run_command", input: { command: `sh ${nth}.sh` } }] }));
  const session = await daemon.session({ model: script(daemon, [...calls, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilEnd();
  const texts = session.finished.map(({ result }) => result.text);
  expect({ texts, installed: texts.at(-1)?.match(/^true$/gm)?.length }).toEqual({ texts, installed: installs.length });
});
