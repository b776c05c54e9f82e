import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { type ActionHelp, englishHelp, FLEET_ACTIONS } from "./help.ts";
import { chineseFleetWords } from "./words-zh-hant.ts";

/** What `rightseat fleet` says. Every text is there twice: here and in `words-zh-hant.ts`. */
export interface FleetWords {
	help: string;
	helpOf: ActionHelp;
	unknownFlag(flag: string): string;
	unknownAction(action: string): string;
	tooMany: string;
	noUrl: string;
	badName: string;
	badRole: string;
	whichRole: string;
	badDoor(file: string): string;
	badListen: string;
	noFolder: string;
	folderUsed(folder: string): string;
	noCode: string;
	tornCode: string;
	notACode: string;
	needsCa(hash: string): string;
	otherCa(file: string): string;
	noHost: string;
	unknownHost(host: string): string;
	ambiguous(host: string): string;
	already(fleet: string): string;
	outside: string;
	failed: string;

	founded(fleet: string, name: string): string;
	keepRoot(file: string): string;
	inviteNext: string;
	fewServers: string;
	kept(file: string): string;
	restart: string;

	invited: string;
	/** The address leads nowhere from another machine. */
	onlyHere(url: string): string;
	handedOver: string;
	waiting: string;
	compare(name: string, words: string): string;
	areSame: string;
	joinedBy(name: string): string;
	notJoined: string;
	inviteOver: string;
	stopped: string;

	words(words: string): string;
	joined(fleet: string, name: string): string;
	/** Whoever runs NATS has to. */
	letIn: string;

	status: {
		fleet(fleet: string, host: string, name: string): string;
		engine(url: string, version: string): string;
		online: string;
		offline: string;
		self: string;
		unnamed: string;
	};
	left: string;
	leftHere: string;
	removeSetting(name: string): string;
	removed(name: string): string;
	roleChanged(name: string, role: string): string;
	applyPermissions: string;
	natsFolder(folder: string, url: string): string;
	moved: string;
}

const english: FleetWords = {
	help: `Usage: rightseat fleet ACTION [flags]

Joins the Rightseats of several machines over a NATS server with JetStream, so that one page shows the conversations of all of them.

  init             make a fleet, with this host as its first
  invite           print a code that lets one more host join within 10 minutes
  join CODE        join the fleet that the code is of
  status           show the hosts of the fleet, and whether they are there
  role HOST ROLE   change what a host may do on others: watch, talk or full
  remove HOST      take a host out, by its name or id; the others get a new key
  leave            take this host out
  moved            this disk was moved to another machine, and the old one is gone
  permissions      print users for NATS, one for each host, who may say only what is its own
  nats-config DIR  write a configuration for nats-server, with TLS and users

  --url ADDRESS    NATS, for init: nats://127.0.0.1:4222, tls://nats.example.org:4222 (RIGHTSEAT_FLEET_URL)
  --creds FILE     credentials for NATS (RIGHTSEAT_FLEET_CREDS)
  --ca FILE        the authority of its certificate (RIGHTSEAT_FLEET_CA)
  --name NAME      what this host is called, for init and join (the machine's name)
  --role ROLE      for invite: what the newcomer may do on others: watch, talk or full (full)
  --team           for init: newcomers may only look, unless they are invited for more
  --door FILE      for init: user:password of NATS with which newcomers may knock
  --listen ADDRESS for nats-config: where the other machines reach this one
  --json           for status: as JSON
  --here           for leave: only forget it here, without telling the others
  --home DIR       which Rightseat (RIGHTSEAT_HOME, else ~/.rightseat)

Exit codes: 0 done, 1 failed and nothing changed, 2 wrong usage, 130 stopped by Ctrl-C. More about an action: rightseat fleet ACTION --help.`,
	helpOf: englishHelp,
	unknownFlag: (flag) => `unknown flag ${flag}. Try --help.`,
	unknownAction: (action) => `unknown action ${action}. There are ${FLEET_ACTIONS.join(", ")}.`,
	tooMany: "too many arguments. Try --help.",
	noUrl: "no NATS server is named. Say --url nats://…, or set RIGHTSEAT_FLEET_URL.",
	badName: "--name must have 1 to 60 characters, on one line.",
	badRole: "--role must be watch, talk or full.",
	whichRole: "which role? It must be watch, talk or full: rightseat fleet role HOST ROLE.",
	badDoor: (file) => `${file} must have one line, user:password, without spaces.`,
	badListen: "say under which address the other machines reach this one: --listen 192.168.1.10, or a name, with :PORT if it is not 4222.",
	noFolder: "into which folder? rightseat fleet nats-config DIR.",
	folderUsed: (folder) => `${folder} has a nats.conf already. Choose another folder.`,
	noCode: 'the code is missing. Get one with "rightseat fleet invite" on a host of the fleet.',
	tornCode: "a part of the code is missing or changed. Copy it again, whole.",
	notACode: 'this is no invitation. Get one with "rightseat fleet invite" on a host of the fleet.',
	needsCa: (hash) =>
		`NATS has a certificate of its own authority there. Copy that file here and name it with --ca FILE (SHA-256 ${hash.slice(0, 16)}…).`,
	otherCa: (file) => `${file} is not the authority that the invitation names.`,
	noHost: "which host? Name it, or its id; rightseat fleet status lists them.",
	unknownHost: (host) => `no host of the fleet is called ${host}. rightseat fleet status lists them.`,
	ambiguous: (host) => `several hosts are called ${host}. Use the id.`,
	already: (fleet) => `this host belongs to the fleet ${fleet}. To leave it: rightseat fleet leave.`,
	outside: 'this host belongs to no fleet. Make one with "rightseat fleet init", or join one with "rightseat fleet join CODE".',
	failed: "Nothing was changed.",

	founded: (fleet, name) => `Made the fleet ${fleet}. This host is called ${name} in it.`,
	keepRoot: (file) => `Keep a copy of ${file} in a safe place: it is the fleet's root key.`,
	inviteNext: "Next: rightseat fleet invite",
	fewServers: "NATS has fewer than three servers now. Waiting for the others, half a minute at most …",
	kept: (file) => `The address of NATS is kept in ${file}.`,
	restart: "A Rightseat that runs without RIGHTSEAT_FLEET_URL has to be started again.",

	invited: "On the other machine, within 10 minutes: rightseat fleet join CODE, with this code. Whoever has it can join, once.",
	onlyHere: (url) => `The code is for this machine only: NATS is at ${url}. For others begin with an address that they reach.`,
	handedOver: "The running server lets the newcomer in.",
	waiting: "Waiting for the newcomer … (Ctrl-C stops)",
	compare: (name, words) => `${name} wants to join. There, too, it must say: ${words}`,
	areSame: "Are the words the same there? [y/N] ",
	joinedBy: (name) => `${name} has joined.`,
	notJoined: "Nobody was let in.",
	inviteOver: "Nobody came; the invitation is over.",
	stopped: "Stopped; the invitation is over.",

	words: (words) => `At the inviting host it must say: ${words}`,
	joined: (fleet, name) => `Joined the fleet ${fleet} as ${name}.`,
	letIn: 'NATS does not know this host yet. Whoever runs it: "rightseat fleet permissions" into its configuration, then reload. Waiting …',

	status: {
		fleet: (fleet, host, name) => `Fleet ${fleet}; this host is ${name} (${host})`,
		engine: (url, version) => `NATS ${version} at ${url}`,
		online: "online",
		offline: "offline",
		self: "this host",
		unnamed: "(no name yet)",
	},
	left: "This host has left the fleet. The others make a new key.",
	leftHere: "The fleet is forgotten here. The others still count this host; remove it there.",
	removeSetting: (name) => `${name} is still set; without it nothing of the fleet is loaded.`,
	removed: (name) => `${name} is out of the fleet, and everybody else has a new key.`,
	roleChanged: (name, role) => `${name} may do ${role} on the others now.`,
	applyPermissions: "Put this in place of the authorization in the configuration of NATS, then: nats-server --signal reload",
	natsFolder: (folder, url) =>
		[
			`Made ${folder}. Next, on this machine:`,
			`  nats-server -c ${folder}/nats.conf`,
			`  rightseat fleet init --url ${url} --ca ${folder}/ca.pem --creds ${folder}/fleet.creds --door ${folder}/door.creds`,
			"  rightseat fleet invite",
		].join("\n"),
	moved: "This machine is the host now.",
};

/** The words of a language. */
export const fleetWords = (language: SpokenLanguage): FleetWords => (language === "en" ? english : chineseFleetWords);
