/** The variables that lead programs to a proxy on the loopback device of their network. */
export function proxyEnv(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const local = "localhost,127.0.0.1,::1";
  const java = ["http", "https"].map((kind) => `-D${kind}.proxyHost=127.0.0.1 -D${kind}.proxyPort=${port}`).join(" ");
  // Some programs know only one case. Not all that read ALL_PROXY can use SOCKS, so it names HTTP as well.
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    NO_PROXY: local,
    no_proxy: local,
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    JAVA_TOOL_OPTIONS: `${java} -Dhttp.nonProxyHosts=localhost|127.0.0.1`,
  };
}
