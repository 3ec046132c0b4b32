import { homedir } from "node:os";
import path from "node:path";
import { actsForPerson, ownCall } from "./baton-command.ts";
import { NEW_SCRATCH } from "../files/scratch-files.ts";
import { RISKY_ARGUMENTS } from "../tables/risky-arguments.ts";
import type { Word } from "../shell/word.ts";

/** What is asked whatever the rules allow, and what is refused whatever they allow. */
export type Danger = { doubt?: string; refusal?: string };

const PRIVILEGE = new Set("sudo su doas pkexec runas gsudo sudoedit run0".split(" "));
const POWER = new Set("shutdown reboot halt poweroff init telinit kexec".split(" "));
const SYSTEM_TOOL =
  /^(ip6?tables(-\w+)?|nft|ufw|firewall-cmd|pfctl|sysctl|modprobe|insmod|rmmod|tc|iw|nmcli|ifconfig|route|arptables|ebtables|setenforce|useradd|userdel|usermod|groupadd|passwd|chpasswd|visudo|update-alternatives|dpkg|apt|apt-get|aptitude|yum|dnf|zypper|pacman|apk|snap|flatpak)$/;
const DISK =
  /^(mkfs(\..*)?|mke2fs|mkswap|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|wipefs|blkdiscard|hdparm|badblocks|losetup|mount|umount|swapon|swapoff|cryptsetup|lvremove|vgremove|pvremove|zpool|zfs|diskutil|format|format\.com|diskpart|shred|srm)$/;
const RUNNERS =
  /^(setsid|ionice|chrt|taskset|watch|parallel|strace|ltrace|unshare|nsenter|chroot|flock|script|entr|xvfb-run|dbus-run-session|systemd-run|systemctl|service|launchctl|crontab|at|batch|firejail|bwrap|proot|fakeroot|rlwrap|expect|tmux|screen|start-stop-daemon|daemonize|caffeinate|cross-env-shell|unbuffer|chronic|ifne|pee|ts|sem|xe|torsocks|trickle|cpulimit|choom|schedtool|systemd-inhibit|setpriv|runuser|capsh|sg|newgrp|lockf|nix-shell|lxc|zellij|byobu|vagrant|ld\.so|ld-linux[\w.-]*|concurrently|onchange|chokidar|chokidar-cli|husky|run-p|run-s|gdb|lldb|valgrind|perf|torify|proxychains4?|ssh-agent|dtach|run-parts|vi|vim|nvim|view|emacs|nano|pico|ed|ex|busybox|toybox|setarch|linux32|linux64|numactl|prlimit|cgexec|catchsegv|chpst|pkexec|forfiles|wmic|reg|schtasks|mshta|rundll32|regsvr32|cscript|wscript|certutil|bitsadmin|msiexec)$/i;

/** What is dangerous about a program and its words, by the names that everybody knows it under. */
export function dangerOf(name: string, words: readonly Word[], cwds: readonly string[], home: string): Danger {
  const lower = name.toLowerCase();
  if (PRIVILEGE.has(lower)) return { doubt: `${name} runs with the rights of another user` };
  const own = ownCall(lower, words);
  if (own && actsForPerson(own)) return { doubt: "answers for a person, or changes what Baton allows" };
  if (POWER.has(lower)) return { doubt: `${name} stops the machine` };
  if (words.length === 0 && lower === "mount") return {}; // it tells what is mounted
  if (lower === "systemctl" && /^(status|is-active|is-enabled)$/.test(words[0]?.text ?? "")) return {};
  if (DISK.test(lower)) return { doubt: `${name} changes disks` };
  if (SYSTEM_TOOL.test(lower) && !words.every(({ text }) => /^(--version|--help|-V|-L|list|show|search|status)$/.test(text)))
    return { doubt: `${name} changes the system` };
  if (
    /^(pkill|killall)$/.test(lower) &&
    words.some(({ text }) => /^-[a-zA-Z]*[uUgGtsPF]|^--(uid|euid|group|pgroup|session|terminal|parent|ns|user)/.test(text))
  )
    return { doubt: `${name} ends programs by something else than their name` };
  if (/^(rimraf|del|del-cli|trash|trash-cli)$/.test(lower)) return { doubt: "deletes a folder with all that is in it" };
  if (words.some(({ text }) => EMPTYING.test(text))) return { doubt: "may delete all that is in a folder" };
  if (lower === "openssl" && words.some(({ text }) => /^(s_client|s_server|s_time|engine)$/.test(text)))
    return { doubt: `${name} opens connections, or loads code` };
  if (Object.hasOwn(RISKY_ARGUMENTS, lower) && RISKY_ARGUMENTS[lower]?.test(words.map(({ text }) => text).join(" ")))
    return { doubt: `${name} would run or load something else` };
  if (/^(nodemon|cargo-watch)$/.test(lower) && words.some(({ text }) => /^(-x|--exec|-s|--shell)(=|$)/.test(text)))
    return { doubt: `${name} runs other programs or services` };
  if ((lower === "rmdir" || lower === "rd") && words.some(({ text }) => /^\/s$/i.test(text)))
    return { doubt: "deletes a folder with all that is in it" };
  if (lower === "rm" || lower === "unlink" || lower === "rmdir") return deleting(words, cwds, home);
  if (lower === "dd") return writingDevice(words, /^of=(\/dev\/(?!null|stdout|stderr|zero))/, "writes to a device");
  if (lower === "find" && words.some(({ text }) => text === "-delete") && words.some((word) => isEverything(word, cwds, home)))
    return { refusal: "deletes the root or the home folder" };
  if (lower === "chmod" && words.some(({ text }) => /(^|,)[ugoa]*[+=]\w*s\w*|^0?[2-7]\d{3}$/.test(text)))
    return { doubt: "lets others run a file with the rights of its owner" };
  if (
    lower === "chmod" &&
    words.some(({ text }) => /^-\w*R|^--rec/.test(text)) &&
    words.some(({ text }) => /^0?[0-7]?[0-7][2367]$|(^|,)([ug]*[ao][ugoa]*)?[+=]\w*w/.test(text))
  )
    return { doubt: "lets everybody write below a folder" };
  if (/^(chmod|chown|chgrp)$/.test(lower)) return changingRights(words, cwds, home);
  if (
    /^(kill|killall|pkill)$/.test(lower) &&
    words.some(({ text }) => /^(-1|[01])$/.test(text)) &&
    (lower === "kill" || words.some(({ text }) => /^-(9|KILL|SIGKILL|s|TERM|15)$/.test(text)))
  )
    return { doubt: "ends all programs" };
  if (/^(mv|cp|truncate|tee)$/.test(lower) && words.some((word) => isDevice(word.text))) return { doubt: "writes to a device" };
  if (lower === "mv" && words.slice(0, -1).some((word) => isEverything(word, cwds, home)))
    return { refusal: "moves the root or the home folder away" };
  return windows(lower, words) ?? (RUNNERS.test(lower) ? { doubt: `${name} runs other programs or services` } : {});
}

/** Flags by which a program empties the folder that it writes to. */
const EMPTYING = /^--(clear|purge|wipe|empty-?out-?dir|output-clean|rm-dist|clean-output|basetemp)(=(?!false|\/tmp\/)|$)/i;

const isDevice = (text: string): boolean => /^\/dev\/(sd|hd|vd|nvme|mmcblk|disk|mapper|md|loop|mem|kmem|port)/.test(text);

function deleting(words: readonly Word[], cwds: readonly string[], home: string): Danger {
  const isRecursive = words.some(({ kind, text }) => kind !== "open" && (/^-[a-zA-Z]*[rR]/.test(text) || /^--r(e(c(u.*)?)?)?$/.test(text)));
  if (!isRecursive) return words.some(({ text }) => /^(\.\/)?\*+$/.test(text)) ? { doubt: "deletes all that is in a folder" } : {};
  if (words.some((word) => isEverything(word, cwds, home))) return { refusal: "deletes the root or the home folder" };
  const named = words.filter(({ text }) => !/^-\w+$/.test(text));
  if (named.length > 0 && named.every(({ text }) => path.normalize(text) === NEW_SCRATCH)) return {};
  return { doubt: "deletes a folder with all that is in it" };
}

/** The root, the home, a folder above it or of the system, or all that lies in one of them. */
function isEverything(word: Word, cwds: readonly string[], home: string): boolean {
  if (word.kind === "open") return /^(["']?\$\{?(HOME|USERPROFILE)\}?["']?\/?(\*|\.)?|~\w*\/?\*?)$/.test(word.text);
  const text = word.text.replace(/\/(\*|\.\*|\{\*,\.\*\}|\*\*|\.\[\?\]\*)\/?$/, "/");
  if (text.startsWith("-")) return false;
  const places = text === "*" ? cwds : cwds.map((cwd) => path.resolve(cwd, text === "" ? "/" : text));
  return places.some((place) => place === "/" || isAbove(place, home) || isAbove(place, homedir()) || SYSTEM.has(place));
}

const SYSTEM = new Set(
  "/bin /boot /dev /etc /home /lib /lib64 /opt /proc /root /sbin /srv /sys /usr /var /usr/bin /usr/lib /usr/local /Users /System /Library /Applications /Volumes /private /mnt /media".split(
    " ",
  ),
);
const isAbove = (place: string, home: string): boolean => home === place || home.startsWith(`${place === "/" ? "" : place}/`);

function writingDevice(words: readonly Word[], pattern: RegExp, doubt: string): Danger {
  return words.some((word) => word.kind === "open" || pattern.test(word.text)) ? { doubt } : {};
}

function changingRights(words: readonly Word[], cwds: readonly string[], home: string): Danger {
  const isRecursive = words.some(({ text }) => /^-[a-zA-Z]*R|^--rec/.test(text));
  return isRecursive && words.some((word) => isEverything(word, cwds, home))
    ? { doubt: "changes the rights of the system or the home folder" }
    : {};
}

function windows(name: string, words: readonly Word[]): Danger | undefined {
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text));
  if (/^(del|erase)$/.test(name) && has(/^\/[sqf]/i)) return { doubt: "deletes a folder with all that is in it" };
  if (/^(rmdir|rd)$/.test(name) && has(/^\/s/i)) return { doubt: "deletes a folder with all that is in it" };
  if (/^(remove-item|ri|rm)$/.test(name) && has(/^-rec/i)) return { doubt: "deletes a folder with all that is in it" };
  if (/^(invoke-expression|iex|clear-disk|format-volume|start-process|stop-computer|restart-computer|set-executionpolicy)$/.test(name))
    return { doubt: `${name} can do everything` };
  return undefined;
}
