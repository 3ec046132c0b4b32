import { homedir } from "node:os";
import path from "node:path";
import { actsForPerson, ownCall } from "./baton-command.ts";
import { NEW_SCRATCH } from "../files/scratch-files.ts";
import { nameMatcher, wordSet } from "../tables/name-matcher.ts";
import { RISKY_ARGUMENTS } from "../tables/risky-arguments.ts";
import { aProcess, isCertain, type Word } from "../words/word.ts";

/** The danger of a call, which no rule can override. `doubt`: the reason to ask. `refusal`: the reason to refuse. */
export type Danger = { doubt?: string; refusal?: string };

const DELETES = "deletes a folder with all that is in it";
const DELETES_HOME = "deletes the root or the home folder";

/** Dangerous programs. If an argument is listed, only calls with that argument are dangerous. `$` in the reason stands for the name. */
const DANGERS: readonly (readonly [program: RegExp, argument: RegExp | undefined, doubt: string])[] = [
  [/^(sudo|su|doas|pkexec|runas|gsudo|sudoedit|run0)$/, undefined, "$ runs with the rights of another user"],
  [/^(shutdown|reboot|halt|poweroff|init|telinit|kexec)$/, undefined, "$ stops the machine"],
  [
    /^(mkfs(\..*)?|mke2fs|mkswap|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|wipefs|blkdiscard|hdparm|badblocks|losetup|mount|umount|swapon|swapoff|cryptsetup|lvremove|vgremove|pvremove|zpool|zfs|diskutil|format|format\.com|diskpart|shred|srm)$/,
    undefined,
    "$ changes disks",
  ],
  [
    /^(pkill|killall)$/,
    /^-[a-zA-Z]*[uUgGtsPF]|^--(uid|euid|group|pgroup|session|terminal|parent|ns|user)/,
    "$ ends programs by something else than their name",
  ],
  [/^(rimraf|del-cli|trash|trash-cli)$/, undefined, DELETES],
  [/^(rd|erase)$/, /^\/[sqf]/i, DELETES],
  [/^(remove-item|ri|rm)$/, /^-rec/i, DELETES],
  // With these flags, a program empties the folder that it writes to.
  [
    /^/,
    /^--(clear|purge|wipe|empty-?out-?dir|output-clean|rm-dist|clean-output|basetemp)(=(?!false|\/tmp\/)|$)/i,
    "may delete all that is in a folder",
  ],
  [/^(tsc|javac?|gcc|g\+\+|cc|clang(\+\+)?|ld|rustc|swiftc|kotlinc|csc|msbuild|protoc|mypy|pytest)$/, /^@./, "takes flags from a file"],
  [/^electron-builder$/, /^(-p|--publish)(=|$)/, "publishes what it builds"],
  [/^openssl$/, /^(s_client|s_server|s_time|engine)$/, "$ opens connections, or loads code"],
  [/^(nodemon|cargo-watch)$/, /^(-x|--exec|-s|--shell)(=|$)/, "$ runs other programs or services"],
  [/^dd$/, /^of=(\/dev\/(?!null|stdout|stderr|zero))/, "writes to a device"],
  [/^chmod$/, /(^|,)[ugoa]*[+=]\w*s\w*|^0?[2-7]\d{3}$/, "lets others run a file with the rights of its owner"],
  [/^(mv|cp|truncate|tee)$/, /^\/dev\/(sd|hd|vd|nvme|mmcblk|disk|mapper|md|loop|mem|kmem|port)/, "writes to a device"],
  [
    /^(invoke-expression|iex|clear-disk|format-volume|start-process|stop-computer|restart-computer|set-executionpolicy)$/,
    undefined,
    "$ can do everything",
  ],
];

const isSystemTool = nameMatcher(`iptables iptables-* ip6tables ip6tables-* nft ufw firewall-cmd pfctl sysctl modprobe insmod rmmod tc iw
  nmcli ifconfig route arptables ebtables setenforce useradd userdel usermod groupadd passwd chpasswd visudo update-alternatives dpkg apt
  apt-get aptitude yum dnf zypper pacman apk snap flatpak`);
const runsOthers = nameMatcher(`setsid ionice chrt taskset watch parallel strace ltrace unshare nsenter chroot flock script entr xvfb-run
  dbus-run-session systemd-run systemctl service launchctl crontab at batch firejail bwrap proot fakeroot rlwrap expect tmux screen
  start-stop-daemon daemonize caffeinate cross-env-shell unbuffer chronic ifne pee ts sem xe torsocks trickle cpulimit choom schedtool
  systemd-inhibit setpriv runuser capsh sg newgrp lockf nix-shell lxc zellij byobu vagrant ld.so ld-linux* concurrently onchange chokidar
  chokidar-cli husky run-p run-s gdb lldb valgrind perf torify proxychains# ssh-agent dtach run-parts vi vim nvim view emacs nano pico ed ex
  busybox toybox setarch linux32 linux64 numactl prlimit cgexec catchsegv chpst pkexec forfiles wmic reg schtasks mshta rundll32 regsvr32
  cscript wscript certutil bitsadmin msiexec`);

/** Returns the danger of a call. Finds it by the well-known name of the program and by the words. */
export function dangerOf(name: string, words: readonly Word[], cwds: readonly string[], home: string): Danger {
  const lower = name.toLowerCase();
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text));
  const own = ownCall(lower, words);
  if (own && actsForPerson(own)) return { doubt: "answers for a person, or changes what Baton allows" };
  if (words.length === 0 && lower === "mount") return {}; // it lists what is mounted
  if (lower === "systemctl" && /^(status|is-active|is-enabled)$/.test(words[0]?.text ?? "")) return {};
  if (/^(rm|rmdir|unlink|del)$/.test(lower)) return deleting(lower, words, cwds, home);
  const danger = DANGERS.find(([program, argument]) => program.test(lower) && (argument === undefined || has(argument)));
  if (danger) return { doubt: danger[2].replace("$", name) };
  if (lower === "dpkg" && /^-[lLsS]$/.test(words[0]?.text ?? "") && !words.slice(1).some(({ text }) => text.startsWith("-"))) return {};
  if (isSystemTool(lower) && !words.every(({ text }) => /^(--version|--help|-V|-L|list|show|search|status)$/.test(text)))
    return { doubt: `${name} changes the system` };
  if (Object.hasOwn(RISKY_ARGUMENTS, lower) && RISKY_ARGUMENTS[lower]?.test(words.map(({ text }) => text).join(" ")))
    return { doubt: `${name} would run or load something else` };
  if (lower === "dd" && words.some(({ kind }) => kind === "open")) return { doubt: "writes to a device" };
  if (lower === "find" && has(/^-delete$/) && words.some((word) => isEverything(word, cwds, home))) return { refusal: DELETES_HOME };
  const isRecursive = has(/^-\w*R|^--rec/);
  if (lower === "chmod" && isRecursive && has(/^0?[0-7]?[0-7][2367]$|(^|,)([ug]*[ao][ugoa]*)?[+=]\w*w/))
    return { doubt: "lets everybody write below a folder" };
  if (/^(chmod|chown|chgrp)$/.test(lower))
    return isRecursive && words.some((word) => isEverything(word, cwds, home))
      ? { doubt: "changes the rights of the system or the home folder" }
      : {};
  if (lower === "kill" && words.some((word) => !isCertain(word) && word.kind === "literal" && !word.text.includes(aProcess.text)))
    return { doubt: "ends processes by a number that it computes" };
  if (/^(killall|pkill)$/.test(lower) && has(/^[.*+?^$|()]*$/)) return { doubt: "ends all programs" };
  if (/^(kill|killall|pkill)$/.test(lower) && has(/^[-+]?0*1$|^0+$/) && (lower === "kill" || has(/^-(9|KILL|SIGKILL|s|TERM|15)$/)))
    return { doubt: "ends all programs" };
  if (lower === "mv" && words.slice(0, -1).some((word) => isEverything(word, cwds, home)))
    return { refusal: "moves the root or the home folder away" };
  return runsOthers(lower) ? { doubt: `${name} runs other programs or services` } : {};
}

function deleting(name: string, words: readonly Word[], cwds: readonly string[], home: string): Danger {
  if (name === "del" || words.some(({ text }) => /^\/s$|^-rec/i.test(text))) return { doubt: DELETES };
  const isRecursive = words.some(({ kind, text }) => kind !== "open" && (/^-[a-zA-Z]*[rR]/.test(text) || /^--r(e(c(u.*)?)?)?$/.test(text)));
  if (!isRecursive) return words.some(({ text }) => /^(\.\/)?\*+$/.test(text)) ? { doubt: "deletes all that is in a folder" } : {};
  if (words.some((word) => isEverything(word, cwds, home))) return { refusal: DELETES_HOME };
  const named = words.filter(({ text }) => !/^-\w+$/.test(text));
  if (named.length > 0 && named.every(({ text }) => path.normalize(text) === NEW_SCRATCH)) return {};
  return { doubt: DELETES };
}

/** True for the root, the home folder, a folder above it, a system folder, or all entries of one of these. */
function isEverything(word: Word, cwds: readonly string[], home: string): boolean {
  if (word.kind === "open") return /^(["']?\$\{?(HOME|USERPROFILE)\}?["']?\/?(\*|\.)?|~\w*\/?\*?)$/.test(word.text);
  const text = word.text.replace(/\/(\*|\.\*|\{\*,\.\*\}|\*\*|\.\[\?\]\*)\/?$/, "/");
  if (text.startsWith("-")) return false;
  const places = text === "*" ? cwds : cwds.map((cwd) => path.resolve(cwd, text === "" ? "/" : text));
  return places.some((place) => place === "/" || isAbove(place, home) || isAbove(place, homedir()) || SYSTEM.has(place));
}

const SYSTEM = wordSet(`/bin /boot /dev /etc /home /lib /lib64 /opt /proc /root /sbin /srv /sys /usr /var /usr/bin /usr/lib /usr/local
  /Users /System /Library /Applications /Volumes /private /mnt /media`);
const isAbove = (place: string, home: string): boolean => home === place || home.startsWith(`${place === "/" ? "" : place}/`);
