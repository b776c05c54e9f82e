import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { chineseServiceWords } from "./words-zh-hant.ts";

/** What the commands about the service say. Every text is there twice: here and in `words-zh-hant.ts`. */
export interface ServiceWords {
	help: string;
	unknownPart(name: string): string;
	unknownFlag(flag: string): string;
	badFlag(flag: string): string;
	noSupervisor(platform: string): string;
	noManager(reason: string): string;
	managerRefused(command: string, reason: string): string;
	homeInUse(home: string, process: string): string;
	portInUse(port: number): string;
	temporaryPlace(path: string): string;
	notInEnvironment(name: string): string;
	badEnvironmentLine(file: string, line: number): string;
	environmentHead: string;
	diskRefused(path: string, reason: string): string;

	willWrite(file: string): string;
	willKeep(file: string): string;
	environmentOf(file: string): string;
	hidden: string;
	dryRun: string;
	waiting: string;
	upToDate: string;
	installed: string;
	openOnce(url: string): string;
	notReady(detail: string): string;
	lastSaid: string;

	lingerOff: string;
	lingerQuestion: string;
	lingerHint: string;
	lingerDone: string;
	lingerOn: string;
	loginOnly: string;

	notInstalled(home: string): string;
	running(what: { supervisor: string; pid: number; version: string }): string;
	degraded: string;
	notAnswering(pid: number): string;
	starting: string;
	stopped(detail: string): string;
	failed(detail: string): string;
	labels: { address: string; since: string; home: string; definition: string; settings: string; log: string; afterLogout: string };
	goesOn: string;
	endsWithLogout: string;

	restarted(version: string): string;
	noLog(file: string): string;
	badCount: string;
	removed(file: string): string;
	uninstalled(home: string): string;
}

const english: ServiceWords = {
	help: `Usage: rightseat service install|status|logs|restart|update|uninstall [flags]

Keeps Rightseat running in the background, for this user: a systemd user unit on Linux, a launchd agent on macOS.

  install      write what is needed, start it now and at every login. Shows first what it writes; may be repeated.
      --dry-run      only show
      --linger       also keep it running after you log out (systemd)
      --strict       forbid everything it starts to gain rights: no sudo, no rootless containers (systemd)
      --env NAME     take this variable over too, for example ANTHROPIC_API_KEY; may be repeated
      and every flag of start: --port, --workdir, --public-url … (rightseat help)
  status       say whether it runs; exit 0 healthy, 1 not, 2 not installed
  logs         print the log; -f follows it, -n N lines, --json as it is written
  restart      end it in order, start it again, wait until it answers
  update [VERSION|PACKAGE]
               install another version beside this one (default: the newest), make a backup, change over;
               goes back by itself when the new one is not healthy within a minute
  uninstall    stop it and remove what install wrote; what Rightseat keeps in its home stays

  --home DIR   which one (RIGHTSEAT_HOME, else ~/.rightseat)

Exit codes: 0 done, 1 failed, 2 wrong usage or not installed.`,
	unknownPart: (name) => `unknown command ${name}. There are install, status, logs, restart, update and uninstall; try --help.`,
	unknownFlag: (flag) => `unknown flag ${flag}. Try --help.`,
	badFlag: (flag) => `${flag} is not written correctly: a flag takes its value as "--flag VALUE", a switch takes none. Try --help.`,
	noSupervisor: (platform) => `there is neither systemd nor launchd on ${platform}. Start "rightseat" with the supervisor that you have.`,
	noManager: (reason) =>
		`the service manager of this user does not answer (${reason}). Log in as this user, not with su or sudo, or start "rightseat" with the supervisor that you have.`,
	managerRefused: (command, reason) => `"${command}" failed: ${reason}`,
	homeInUse: (home, process) =>
		`a Rightseat that is not this service runs with ${home}${process}. Stop it first, or choose another home with --home.`,
	portInUse: (port) => `port ${port} is in use by another program. Stop it, or choose another port with --port.`,
	temporaryPlace: (path) =>
		`this Rightseat lies in a cache that npm may empty (${path}). Install it first: npm install --global rightseat, then rightseat service install.`,
	notInEnvironment: (name) => `--env ${name}: this variable is not set here.`,
	badEnvironmentLine: (file, line) => `line ${line} of ${file} is not NAME=VALUE. Correct it, then run rightseat service restart.`,
	environmentHead:
		"Read by the service of Rightseat at each start; after a change run: rightseat service restart\nNAME=VALUE in each line; a value in double quotes is a JSON string.",
	diskRefused: (path, reason) =>
		`cannot write ${path} (${reason}). Nothing was started; check the disk and the permissions, then run it again.`,

	willWrite: (file) => `Writes ${file}:`,
	willKeep: (file) => `${file} is up to date.`,
	environmentOf: (file) => `Starts with these variables, kept in ${file}, readable by you only:`,
	hidden: "(not shown)",
	dryRun: "Nothing was changed (--dry-run).",
	waiting: "Waiting until it answers …",
	upToDate: "The service is installed and runs already; nothing was changed.",
	installed: "The service is installed and runs.",
	openOnce: (url) => `Open ${url}\n  This link logs you in once, within 10 minutes.`,
	notReady: (detail) =>
		`the service is installed but not healthy (${detail}). Look at rightseat service logs, correct it, then run rightseat service restart.`,
	lastSaid: "It said last:",

	lingerOff: "systemd ends your services when you log out of this machine for the last time, and starts them at your next login.",
	lingerQuestion: 'Keep Rightseat, and all your services, running without a login? It sets "linger" for your user, with loginctl.',
	lingerHint: "To keep it running without a login: rightseat service install --linger",
	lingerDone: "From now on it runs from the start of the machine, logged in or not. Take that back with: loginctl disable-linger",
	lingerOn: "It runs from the start of the machine, logged in or not (linger is on).",
	loginOnly: "It runs while you are logged in on this Mac.",

	notInstalled: (home) => `no service is installed for ${home}. Install it with: rightseat service install`,
	running: ({ supervisor, pid, version }) => `Rightseat ${version} runs as a service of ${supervisor}, process ${pid}, and answers.`,
	degraded: "Something in it does not work: the page says what, rightseat doctor what to do.",
	notAnswering: (pid) => `The service runs (process ${pid}) but does not answer yet. Look at rightseat service logs.`,
	starting: "The service is starting or ending; look again in a moment.",
	stopped: (detail) => `The service is installed but does not run (${detail}). Start it with: rightseat service restart`,
	failed: (detail) => `The service failed (${detail}). Look at rightseat service logs, then: rightseat service restart`,
	labels: {
		address: "Address",
		since: "Since",
		home: "Home",
		definition: "Defined in",
		settings: "Settings",
		log: "Log",
		afterLogout: "Logged out",
	},
	goesOn: "it goes on",
	endsWithLogout: "it ends with your last login; rightseat service install --linger keeps it",

	restarted: (version) => `Rightseat ${version} was started again and answers.`,
	noLog: (file) => `there is no log yet (${file}).`,
	badCount: "-n must be a whole number from 1 to 100000.",
	removed: (file) => `Removed ${file}`,
	uninstalled: (home) => `The service is gone. What Rightseat keeps is still in ${home}.`,
};

/** The words of a language. */
export const serviceWords = (language: SpokenLanguage): ServiceWords => (language === "en" ? english : chineseServiceWords);
