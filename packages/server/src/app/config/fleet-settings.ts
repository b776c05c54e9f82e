import { flag, natsUrl, oneOf, path } from "./config-values.ts";
import { setting } from "./setting.ts";

/** How this host takes part in a fleet. */
export const FLEET_SETTINGS = {
	fleetUrl: setting({
		key: "fleetUrl",
		env: "RIGHTSEAT_FLEET_URL",
		flag: "fleet-url",
		type: natsUrl,
		fallbackNote: "no fleet",
		description:
			"NATS server, or servers of one cluster, through which this host takes part in a fleet. Another machine is spoken to with TLS only.",
	}),
	fleetCreds: setting({
		key: "fleetCreds",
		env: "RIGHTSEAT_FLEET_CREDS",
		flag: "fleet-creds",
		type: path,
		description: "File with the credentials for it: as `nsc` makes it, or an nkey seed, a token, or `user:password`.",
	}),
	fleetCa: setting({
		key: "fleetCa",
		env: "RIGHTSEAT_FLEET_CA",
		flag: "fleet-ca",
		type: path,
		fallbackNote: "the system's authorities",
		description: "Certificate file (PEM) of the authority that vouches for the NATS server.",
	}),
	fleetAllow: setting({
		key: "fleetAllow",
		env: "RIGHTSEAT_FLEET_ALLOW",
		flag: "fleet-allow",
		type: oneOf("watch", "talk", "full"),
		fallback: "full",
		description: "The most that other hosts may do on this one, whatever they were given: look, also write to the agent, or everything.",
	}),
	fleetOldServer: setting({
		key: "fleetOldServer",
		env: "RIGHTSEAT_FLEET_OLD_SERVER",
		flag: "fleet-old-server",
		type: flag,
		fallback: "0",
		description: "Accept a NATS server on another machine although its version has known holes.",
	}),
} as const;
