import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { chinesePairWords } from "./words-zh-hant.ts";

/** What `rightseat pair` says. Every text is there twice: here and in `words-zh-hant.ts`. */
export interface PairWords {
	help: string;
	unknownFlag(flag: string): string;
	badFlag(flag: string): string;
	badPort: string;
	oneWay: string;
	badUrl: string;
	needsYes: string;
	needsWay: string;
	noServer(home: string): string;
	left: string;

	heading: string;
	titles: { configured: string; tailscale: string; lan: string; url: string };
	configured(url: string): string;
	notConfigured: string;
	tailscale: {
		missing: string;
		loggedOut: string;
		stopped(state: string): string;
		noHttps: string;
		unreadable(detail: string): string;
		portTaken(port: number | undefined): string;
		ready(url: string): string;
	};
	lan: { none: string; possible(url: string): string };
	url: string;
	open(url: string): string;

	chooseWay(numbers: string): string;
	question: { tailscale(url: string, target: string): string; lan(url: string): string; url(url: string): string };

	done: string;
	steps: { serve(url: string, target: string): string; listen(url: string): string; reached(url: string): string; kept: string };
	denied: string;
	notEnabled(link: string): string;
	serveFailed(detail: string): string;
	notStopped(command: string, detail: string): string;
	problems: {
		unreachable(url: string, detail: string): string;
		untrusted(url: string, detail: string): string;
		elsewhere(url: string, status: number): string;
		noWebSocket(url: string): string;
	};
	unchanged: string;

	trustFirst(address: string): string;
	fingerprint(text: string): string;
	firewall(port: number): string;
	also(addresses: string): string;
	scan: string;
	afterwards: string;
	undo: string;

	nothingPaired: string;
	closed(url: string): string;
	removeProfile: string;
}

const english: PairWords = {
	help: `Usage: rightseat pair [--tailscale | --lan | --url ADDRESS] [flags]

Lets a phone reach the Rightseat that runs on this machine: finds the ways there are, sets one up after a yes, checks that it leads here, and
prints a QR code that logs the phone in once. The running server uses the address at once, and after every restart.

  --tailscale      Tailscale Serve: an https address for the devices of your tailnet
  --url ADDRESS    an https address that you have set up yourself, such as a reverse proxy or a tunnel
  --lan            the local network, with a certificate of our own that the phone must be told to trust
  --port N         of Tailscale Serve (443, 8443 or 10000) or of the local network (7418)
  --yes            do not ask; without a way: the configured address, else Tailscale
  --off            take it all back
  --home DIR       which Rightseat (RIGHTSEAT_HOME, else ~/.rightseat)

Exit codes: 0 done, 1 failed and nothing changed, 2 wrong usage, no yes, or no server.`,
	unknownFlag: (flag) => `unknown flag ${flag}. Try --help.`,
	badFlag: (flag) => `${flag} is not written correctly: a flag takes its value as "--flag VALUE", a switch takes none. Try --help.`,
	badPort: "--port must be a whole number from 1 to 65535.",
	oneWay: "choose one of --tailscale, --lan, --url and --off.",
	badUrl: "--url must be an https address without a path, for example https://pilot.example.org.",
	needsYes: "nobody can be asked here, and nothing is opened without a yes. Say --yes, with --tailscale, --lan or --url ADDRESS.",
	needsWay: "no way is ready. Log in to Tailscale, or say --url ADDRESS or --lan.",
	noServer: (home) => `no Rightseat runs with ${home}. Start it with "rightseat", or name another home with --home.`,
	left: "Nothing was opened.",

	heading: "Ways for a phone to reach this Rightseat:",
	titles: { configured: "Configured", tailscale: "Tailscale", lan: "Local network", url: "Your address" },
	configured: (url) => `${url}, from RIGHTSEAT_PUBLIC_URL`,
	notConfigured: "none: RIGHTSEAT_PUBLIC_URL is not set",
	tailscale: {
		missing: "not here: install it from tailscale.com, on the phone as well",
		loggedOut: "not logged in: run tailscale up",
		stopped: (state) => `not connected (${state}): run tailscale up`,
		noHttps: "without HTTPS: switch on MagicDNS and HTTPS certificates at login.tailscale.com/admin/dns",
		unreadable: (detail) => `does not answer (${detail})`,
		portTaken: (port) => `port ${port ?? "443, 8443 and 10000"} of Tailscale Serve leads elsewhere: choose another with --port`,
		ready: (url) => `${url}, for the devices of your tailnet only`,
	},
	lan: {
		none: "this machine has no address in a local network",
		possible: (url) => `${url}, with a certificate of our own that the phone must be told to trust`,
	},
	url: "--url ADDRESS: an https address of yours that leads here, such as a reverse proxy or a tunnel",
	open: (url) => `open now: ${url}`,

	chooseWay: (numbers) => `Which one? [${numbers}] `,
	question: {
		tailscale: (url, target) => `Have Tailscale Serve answer at ${url} for your tailnet, with ${target} behind it? [y/N] `,
		lan: (url) => `Open ${url} to everybody in the local network, with a login? [y/N] `,
		url: (url) => `Let people who are logged in use this Rightseat under ${url}? [y/N] `,
	},

	done: "done",
	steps: {
		serve: (url, target) => `Tailscale Serve leads from ${url} to ${target}`,
		listen: (url) => `listens at ${url}`,
		reached: (url) => `${url} leads to this server, WebSockets pass`,
		kept: "kept: it is in use now, and after every restart",
	},
	denied: "Tailscale does not let this user set up Serve. Run once: sudo tailscale set --operator=$USER, then this again.",
	notEnabled: (link) => `Serve is not switched on in your tailnet. Open ${link || "the admin console of Tailscale"}, then run this again.`,
	serveFailed: (detail) => `Tailscale Serve was not set up (${detail}).`,
	notStopped: (command, detail) => `Tailscale Serve could not be switched off (${detail}). Run: ${command}`,
	problems: {
		unreachable: (url, detail) => `${url} does not answer from here (${detail}). Check the name, the proxy and the firewall.`,
		untrusted: (url, detail) => `${url} has no certificate that is trusted here (${detail}). A phone would refuse it, too.`,
		elsewhere: (url, status) => `${url} leads to something else than this Rightseat (it answers ${status}). Point it to the address above.`,
		noWebSocket: (url) => `${url} does not pass WebSockets on. The proxy must forward Upgrade and Connection; see docs/proxies.md.`,
	},
	unchanged: "Nothing was changed.",

	trustFirst: (address) => `First the phone has to trust this machine. Scan this, or open ${address} on it, and follow the page:`,
	fingerprint: (text) => `The page must show this fingerprint, else somebody is in between:\n${text}`,
	firewall: (port) => `If the phone does not get there, a firewall on this machine may have to let TCP port ${port} in.`,
	also: (addresses) => `Also at ${addresses}, if the phone finds that name: it stays when the address changes, and passkeys work under it.`,
	scan: "Scan this with the phone. It logs in once, within 10 minutes:",
	afterwards: "The page then offers to install itself and to notify you.",
	undo: "Take it back with: rightseat pair --off",

	nothingPaired: "Nothing was paired; nothing to take back.",
	closed: (url) => `${url} no longer leads here. Phones that are logged in stay so; log them out in the settings, under devices.`,
	removeProfile: "The authority and its key are deleted. Remove its certificate from the phone's settings as well.",
};

/** The words of a language. */
export const pairWords = (language: SpokenLanguage): PairWords => (language === "en" ? english : chinesePairWords);
