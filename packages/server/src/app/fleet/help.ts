/** What `rightseat fleet` can be told to do. */
export const FLEET_ACTIONS = [
	...(["init", "invite", "join", "status", "role", "remove", "leave", "moved", "permissions", "nats-config"] as const),
] as const;
export type FleetAction = (typeof FLEET_ACTIONS)[number];

/** What `--help` of each action says; the same in `help-zh-hant.ts`. */
export type ActionHelp = Readonly<Record<FleetAction, string>>;

const FLAGS = `  --url ADDRESS    NATS (RIGHTSEAT_FLEET_URL)
  --creds FILE     credentials for NATS (RIGHTSEAT_FLEET_CREDS)
  --ca FILE        the authority of its certificate (RIGHTSEAT_FLEET_CA)
  --home DIR       which Rightseat (RIGHTSEAT_HOME, else ~/.rightseat)`;

export const englishHelp: ActionHelp = {
	init: `Usage: rightseat fleet init --url ADDRESS [flags]

Makes a fleet with this host as its first. The address is kept in config.json of the home directory.

  --name NAME      what this host is called (the machine's name)
  --team           newcomers may only look, unless they are invited for more
  --door FILE      user:password of NATS with which newcomers may knock; it goes into every code
${FLAGS}`,
	invite: `Usage: rightseat fleet invite [flags]

Prints a code that lets one more host join within 10 minutes. At a terminal you compare four words; in a script whoever has the code may join, and a running server lets it in.

  --role ROLE      what the newcomer may do on others: watch, talk or full (what init said; full)
${FLAGS}`,
	join: `Usage: rightseat fleet join CODE [flags]

Joins the fleet that the code is of. The credentials for NATS and its authority come with the invitation; what is named here wins.

  --name NAME      what this host is called (the machine's name)
${FLAGS}`,
	status: `Usage: rightseat fleet status [flags]

Shows the hosts of the fleet, what they may do, and whether they are there.

  --json           as one line of JSON: fleet, host, nats, hosts
${FLAGS}`,
	role: `Usage: rightseat fleet role HOST ROLE [flags]

Changes what a host, named by its name or id, may do on others: watch (look), talk (also write to the agent), full (everything). It counts at once everywhere.

${FLAGS}`,
	remove: `Usage: rightseat fleet remove HOST [flags]

Takes a host out, by its name or id. The others refuse it at once, end what it has open, and get a new key.

${FLAGS}`,
	leave: `Usage: rightseat fleet leave [flags]

Takes this host out of its fleet.

  --here           only forget it here, without telling the others
${FLAGS}`,
	moved: `Usage: rightseat fleet moved [flags]

This disk was moved to another machine, and the old one is gone: this machine is the host now.

  --home DIR       which Rightseat (RIGHTSEAT_HOME, else ~/.rightseat)`,
	permissions: `Usage: rightseat fleet permissions [flags]

Prints users for the configuration of NATS: one for each host, who may say only what is its own. There is no secret of a host in it.

${FLAGS}`,
	"nats-config": `Usage: rightseat fleet nats-config DIR [--listen ADDRESS[:PORT]]

Writes a configuration for nats-server into a folder: TLS with an authority of its own, users, JetStream. Start it with: nats-server -c DIR/nats.conf

  --listen ADDRESS address or name under which the other machines reach this one (its address in the local network), port 4222`,
};
