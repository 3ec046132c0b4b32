import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chownSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bubblewrap } from "../../src/system/sandbox/bubblewrap.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";

const works = hasBubblewrap();
const NOBODY = 65_534;
/** A setting of the kernel that runs a program as root outside of every sandbox. */
const CORE_PATTERN = "/proc/sys/kernel/core_pattern";
/** A push tests every seventh combination of a target, a path and a way to write. The nightly run tests all of them. */
const STRIDE = Number(process.env["BATON_ESCAPE_STRIDE"] ?? 7);
/** Root runs the attempts as itself and as an ordinary user. */
const users: { name: string; uid: number }[] =
  process.getuid?.() === 0
    ? [
        { name: "root", uid: 0 },
        { name: "an ordinary user", uid: NOBODY },
      ]
    : [{ name: "this user", uid: process.getuid?.() ?? 0 }];

describe.runIf(works).each(users)("as $name", ({ uid }) => {
  let root: string;
  let workspace: string;
  let home: string;
  let victim: ChildProcess;
  const servers: Server[] = [];
  const connected: string[] = [];

  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    for (let at = file; at.startsWith(root); at = path.dirname(at)) chownSync(at, uid, uid);
  };
  const listen = async (name: string, place: string) => {
    const server = createServer((socket) => socket.end("reached"));
    server.on("connection", () => connected.push(name));
    await new Promise<void>((ready) => server.listen(place, ready));
    if (place.startsWith("/")) chmodSync(place, 0o777);
    servers.push(server);
  };

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-escape-")));
    chmodSync(root, 0o755);
    [workspace, home] = [path.join(root, "work"), path.join(root, "user")];
    write(path.join(workspace, "readme.md"), "hello\n");
    write(path.join(workspace, ".env"), "KEY=secret\n");
    write(path.join(workspace, ".vscode/tasks.json"), "{}\n");
    write(path.join(home, ".ssh/id_rsa"), "secret\n", 0o600);
    write(path.join(home, ".bashrc"), "# original\n");
    write(path.join(home, "other/project.txt"), "secret\n");
    write(path.join(root, "state/daemon.json"), "secret\n");
    write(path.join(root, "outside.txt"), "original\n");
    symlinkSync(root, path.join(workspace, "out"));
    spawnSync("git", ["init", "-q", workspace]);
    spawnSync("chown", ["-R", `${uid}:${uid}`, root]);
    await listen("a socket in the home folder", path.join(home, "agent.sock"));
    await listen("a socket in /run", `/run/baton-escape-${process.pid}-${uid}.sock`).catch(() => undefined);
    await listen("a socket in /tmp", path.join(root, "x11.sock"));
    await listen("an abstract socket", `\0baton-escape-${process.pid}`);
    victim = spawn("sleep", ["600"], { uid, gid: uid });
  });
  afterAll(() => {
    victim.kill("SIGKILL");
    for (const server of servers) server.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** Runs a script inside the sandbox. Returns its output. */
  function inside(script: string): string {
    const sandbox = bubblewrap({
      folder: path.join(root, "state/sandbox"),
      home,
      searchPath: `/usr/bin:/bin:${path.dirname(process.execPath)}`,
      network: false,
    });
    const hidden = [path.join(workspace, ".env")];
    const readOnly = [path.join(workspace, ".vscode")];
    const { file, args } = sandbox.wrap({ file: "/bin/bash", args: ["-c", script] }, { cwd: workspace, hidden, readOnly });
    spawnSync("chown", ["-R", `${uid}:${uid}`, path.join(root, "state")]);
    const { stdout, stderr } = spawnSync(file, args, {
      uid,
      gid: uid,
      cwd: workspace,
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: "/usr/bin:/bin", HOME: home, VICTIM: String(victim.pid), ROOT: root },
    });
    return `${stdout}${stderr}`;
  }

  const outsideFiles = (): string =>
    [".bashrc", ".ssh/id_rsa", "other/project.txt"].map((name) => readFileSync(path.join(home, name), "utf8")).join("") +
    readFileSync(path.join(root, "outside.txt"), "utf8") +
    readFileSync(path.join(workspace, ".vscode/tasks.json"), "utf8") +
    readFileSync(path.join(workspace, ".git/config"), "utf8") +
    String(existsSync(path.join(root, "new.txt"))) +
    String(existsSync(path.join(workspace, ".git/hooks/pre-commit")));

  /** Ways to reach a path, with `$p` as the path. */
  const paths = [
    "$p",
    "$ROOT/work/../${p#$ROOT/}",
    "/proc/self/root$p",
    "/proc/1/root$p",
    "/proc/$PPID/root$p",
    "/proc/$VICTIM/root$p",
    "/proc/self/cwd/../${p#$ROOT/}",
    "out/${p#$ROOT/}",
    "/tmp/../$p",
    "/dev/fd/../root$p",
  ];
  const reads = ["cat", "head -c 100", "cp --target-directory=/tmp", "tar cO", "dd status=none of=/dev/stdout if=", "git hash-object -w"];
  const secrets = ["$ROOT/user/.ssh/id_rsa", "$ROOT/user/other/project.txt", "$ROOT/state/daemon.json", "$ROOT/work/.env"];

  test("no spelling of a path reads a hidden file", () => {
    const lines = secrets.flatMap((secret) =>
      paths.flatMap((place) => reads.map((read) => `p=${secret}; ${read}${read.endsWith("=") ? "" : " "}"${place}"`)),
    );
    expect(inside(lines.join("\n"))).not.toContain("secret");
    expect(inside("cat readme.md; grep -rs secret /tmp /home /root /run /mnt /srv ~ . | head; cat /tmp/id_rsa /tmp/project.txt")).toMatch(
      /^hello\n(?![^]*secret)/,
    );
  });

  test("no spelling of a path writes outside of the workspace", () => {
    const before = outsideFiles();
    const targets = [
      "$ROOT/outside.txt",
      "$ROOT/new.txt",
      "$ROOT/user/.bashrc",
      "$ROOT/work/.vscode/tasks.json",
      "$ROOT/work/.git/config",
      "$ROOT/work/.git/hooks/pre-commit",
    ];
    const writes = [
      "echo evil >",
      "echo evil >>",
      "cp readme.md",
      "ln -sf readme.md",
      "ln -f readme.md",
      "mv -f copy.md",
      "rm -rf",
      "truncate -s 0",
      "tee < readme.md",
      "chmod 777",
      "install -m 755 readme.md",
    ];
    const lines = targets.flatMap((target) =>
      paths.flatMap((place) => writes.map((change) => `p=${target}; cp readme.md copy.md; ${change} "${place}"`)),
    );
    inside(lines.filter((_line, i) => i % STRIDE === 0).join("\n"));
    expect(outsideFiles()).toBe(before);
    expect(statSync(path.join(root, "outside.txt")).mode & 0o777).toBe(0o644);
  });

  test.for([
    "mount --bind / /tmp/m; mkdir -p /tmp/m && mount -t proc proc /tmp/m && cat /tmp/m/1/cmdline",
    "mount -o remount,rw $ROOT/work/.vscode; echo evil > .vscode/tasks.json",
    "umount -l .env; cat .env; umount -l .vscode; echo evil > .vscode/tasks.json; umount -l $HOME; cat ~/.ssh/id_rsa",
    "unshare -rm sh -c 'umount -l .env; cat .env; umount -l .vscode; echo evil > .vscode/tasks.json; umount -l ~; cat ~/.ssh/id_rsa; mount --bind / /tmp; ls /tmp'",
    "unshare -rmpf --mount-proc sh -c 'cat /proc/1/environ; mount -o remount,rw .vscode; echo evil > .vscode/tasks.json'",
    "nsenter -t 1 -a cat $ROOT/user/.ssh/id_rsa; nsenter -t $PPID -m cat $ROOT/user/.ssh/id_rsa",
    "chroot /proc/1/root cat $ROOT/user/.ssh/id_rsa",
    "mv .vscode v2; mkdir -p .vscode; echo evil > .vscode/tasks.json; rm -rf .vscode; mv .git g2",
    "mv .git/hooks .git/h2; mkdir .git/hooks; echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; git config --file .git/config core.hooksPath x",
    "sudo -n cat $ROOT/user/.ssh/id_rsa; su -c 'cat $ROOT/user/.ssh/id_rsa'; setpriv --reuid=0 cat /etc/shadow",
    "mknod /tmp/disk b 8 0; mknod /tmp/mem c 1 1; cat /tmp/disk /tmp/mem /dev/sda /dev/vda /dev/mem | head -c 10",
    "echo '|/tmp/x' > /proc/sys/kernel/core_pattern; echo c > /proc/sysrq-trigger; echo 1 > /sys/kernel/uevent_helper",
    "unshare -rmpf --mount-proc sh -c 'echo \"|/tmp/x\" > /proc/sys/kernel/core_pattern'",
    "unshare -rmpf sh -c 'mkdir /tmp/p; mount -t proc proc /tmp/p; echo \"|/tmp/x\" > /tmp/p/sys/kernel/core_pattern'",
    "umount -l /proc/sys; mount -o remount,rw /proc/sys; echo '|/tmp/x' > /proc/sys/kernel/core_pattern; echo x > /proc/sys/kernel/hostname",
    "echo evil > /proc/$PPID/mem; gdb -p $PPID; kill -9 $VICTIM; kill -9 $PPID; kill -9 -1",
    "for p in /proc/[0-9]*; do cat $p/environ | tr '\\0' '\\n'; done | grep -a VITEST",
    "env X=$(head -c 100000 /dev/zero | tr '\\0' x) sh -c 'echo big'; cat ~/.ssh/id_rsa",
  ])("%s", (script) => {
    const before = outsideFiles();
    const kernel = readFileSync(CORE_PATTERN, "utf8");
    const output = inside(script);
    const now = readFileSync(CORE_PATTERN, "utf8");
    if (now !== kernel) writeFileSync(CORE_PATTERN, kernel); // the machine must not keep it
    expect(now).toBe(kernel);
    expect(output).not.toMatch(/secret|VITEST/);
    expect(outsideFiles()).toBe(before);
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
  });

  test("no socket of the machine and no host can be reached", async () => {
    const connect = (place: string) =>
      `python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.connect("${place}"); print(s.recv(9))'`;
    const places = [`$ROOT/user/agent.sock`, `/run/baton-escape-${process.pid}-${uid}.sock`, "$ROOT/x11.sock", "out/x11.sock"];
    const script = [
      ...places.map((place) => `P=${place}; ${connect("'$P'")}`),
      connect(`\\0baton-escape-${process.pid}`),
      "curl -sm 2 http://127.0.0.1:1/; python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 1)'; getent hosts example.com",
      "ls /run/user /run/docker.sock /run/dbus /tmp/.X11-unix",
    ].join("\n");
    const output = await new Promise<string>((resolve) => setImmediate(() => resolve(inside(script))));
    await new Promise((later) => setTimeout(later, 50));
    expect(connected).toEqual([]);
    expect(output).not.toContain("reached");
  });

  test("ordinary work succeeds: builds, tests, commits and servers", () => {
    write(path.join(workspace, ".gitignore"), ".env\nout\n");
    write(path.join(workspace, "Makefile"), "all:\n\tcp readme.md built.md\n");
    write(path.join(workspace, "a.test.mjs"), 'import test from "node:test"; test("a", () => {});');
    const steps = [
      "make >/dev/null && cat built.md",
      "git add -A && git -c user.name=a -c user.email=b@c.d commit -qm first && git log --format=%s",
      `${process.execPath} --test a.test.mjs | grep '^# pass\\|pass 1'`,
      "python3 -c 'import http.server as h; h.HTTPServer((\"127.0.0.1\", 8123), h.SimpleHTTPRequestHandler).handle_request()' 2>/dev/null & sleep 0.5; python3 -c 'import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:8123/readme.md\").read().decode())'",
    ];
    const results = steps.map((step) => inside(step));
    expect(results).toEqual(["hello\n", "first\n", expect.stringContaining("pass 1"), "hello\n\n"]);
  });

  test("no process stays behind, and changes in the workspace remain", () => {
    inside("(sleep 4217.1 &) ; setsid sleep 4217.2 & echo kept > kept.txt; echo warm > ~/.cache-file; echo t > /tmp/t");
    expect(readFileSync(path.join(workspace, "kept.txt"), "utf8")).toBe("kept\n");
    // other tests on this machine have other times
    expect(spawnSync("pgrep", ["-f", "^sleep 4217"], { encoding: "utf8" }).stdout).toBe("");
    expect(inside("cat ~/.cache-file /tmp/t")).toBe("warm\nt\n");
    expect(existsSync(path.join(home, ".cache-file"))).toBe(false);
  });
});
