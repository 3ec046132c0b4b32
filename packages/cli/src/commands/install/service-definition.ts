import path from "node:path";

/** The parameters of a service. `program`: the daemon's program, run by `node`. `variables`: its environment. */
export type ServiceFacts = {
  node: string;
  program: string;
  home: string;
  user: string;
  uid: number;
  logFile: string;
  variables: Readonly<Record<string, string>>;
};

/** How one service manager runs the daemon. `start`, `stop` and `state` are commands with their arguments. */
export type ServiceDefinition = {
  manager: string;
  /** The file that defines the service. Absent if the manager stores it itself. */
  file?: { path: string; text: string };
  start: string[][];
  stop: string[][];
  /** Succeeds if the service is running. */
  state: string[];
  /** Something the user has to do once, in one sentence. */
  hint?: string;
};

const DESCRIPTION = "Baton daemon: runs AI coding sessions";

/** The service of this user on a platform. Undefined if Baton knows no service manager for it. */
export function serviceDefinition(platform: NodeJS.Platform, facts: ServiceFacts): ServiceDefinition | undefined {
  const define: Partial<Record<NodeJS.Platform, (facts: ServiceFacts) => ServiceDefinition>> = {
    linux: systemdUnit,
    darwin: launchAgent,
    win32: scheduledTask,
  };
  return define[platform]?.(facts);
}

/** A systemd user unit. Exit code 5 means that another daemon already runs, so it is no reason to restart. */
function systemdUnit({ node, program, home, user, variables }: ServiceFacts): ServiceDefinition {
  const config = variables["XDG_CONFIG_HOME"] ?? path.posix.join(home, ".config");
  const environment = Object.entries(variables).map(([name, value]) => `Environment=${systemdQuote(`${name}=${value}`)}`);
  return {
    manager: "systemd",
    file: {
      path: path.posix.join(config, "systemd", "user", "baton.service"),
      text: `[Unit]
Description=${DESCRIPTION}
Documentation=https://github.com/baton/baton
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${systemdWord(node)} ${systemdWord(program)}
${environment.join("\n")}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=5
KillMode=mixed
TimeoutStopSec=40

[Install]
WantedBy=default.target
`,
    },
    start: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "baton.service"],
      ["systemctl", "--user", "restart", "baton.service"],
    ],
    stop: [
      ["systemctl", "--user", "disable", "--now", "baton.service"],
      ["systemctl", "--user", "daemon-reload"],
    ],
    state: ["systemctl", "--user", "is-active", "--quiet", "baton.service"],
    hint: `systemd stops your services when you log out. To keep the daemon running, run: sudo loginctl enable-linger ${user}`,
  };
}

/** A quoted value in a unit file, in which `%` starts a specifier. */
const systemdQuote = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;

/** The same in a command line, in which `$` also starts a variable. */
const systemdWord = (text: string): string => systemdQuote(text).replaceAll("$", () => "$$");

const LABEL = "dev.baton.daemon";

function launchAgent({ node, program, home, uid, logFile, variables }: ServiceFacts): ServiceDefinition {
  const file = path.posix.join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const entries = Object.entries(variables).map(
    ([name, value]) => `      <key>${escapeXml(name)}</key>\n      <string>${escapeXml(value)}</string>`,
  );
  return {
    manager: "launchd",
    file: {
      path: file,
      text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>Label</key>
    <string>${LABEL}</string>
    <key>ProgramArguments</key>
    <array>
      <string>${escapeXml(node)}</string>
      <string>${escapeXml(program)}</string>
    </array>
    <key>EnvironmentVariables</key>
    <dict>
${entries.join("\n")}
    </dict>
    <key>RunAtLoad</key>
    <true/>
    <key>KeepAlive</key>
    <dict>
      <key>SuccessfulExit</key>
      <false/>
    </dict>
    <key>StandardErrorPath</key>
    <string>${escapeXml(logFile)}</string>
  </dict>
</plist>
`,
    },
    start: [["launchctl", "bootstrap", `gui/${uid}`, file]],
    stop: [["launchctl", "bootout", `gui/${uid}/${LABEL}`]],
    state: ["launchctl", "print", `gui/${uid}/${LABEL}`],
  };
}

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A task that starts at logon. It has no environment of its own: the daemon gets the one of the user. */
function scheduledTask({ node, program }: ServiceFacts): ServiceDefinition {
  return {
    manager: "Task Scheduler",
    start: [
      ["schtasks", "/Create", "/F", "/TN", "Baton", "/SC", "ONLOGON", "/RL", "LIMITED", "/TR", `"${node}" "${program}"`],
      ["schtasks", "/Run", "/TN", "Baton"],
    ],
    stop: [
      ["schtasks", "/End", "/TN", "Baton"],
      ["schtasks", "/Delete", "/F", "/TN", "Baton"],
    ],
    state: ["schtasks", "/Query", "/TN", "Baton"],
  };
}
