import { createHash } from "node:crypto";
import { join } from "node:path";

/** Where the pieces of one home's service lie. */
export interface ServicePlace {
	/** Of the unit or agent: `rightseat`, and with a mark of the home for every home but the usual one, so that two never meet. */
	name: string;
	/** Of the person. */
	userHome: string;
	home: string;
	/** The unit or the property list. */
	definitionFile: string;
	/** Settings and secrets that the service starts with, readable by its owner only. */
	environmentFile: string;
	/** What the service printed; the log of the server lies beside it. */
	outputFile: string;
	logFile: string;
}

/** The kinds of supervisors that we know. */
export type Supervisor = "systemd" | "launchd";

export function servicePlace(home: string, at: { userHome: string; env: NodeJS.ProcessEnv; supervisor: Supervisor }): ServicePlace {
	const isUsual = home === join(at.userHome, ".rightseat");
	const name = isUsual ? "rightseat" : `rightseat-${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
	const config = at.env.XDG_CONFIG_HOME;
	const settings = config?.startsWith("/") === true ? config : join(at.userHome, ".config");
	return {
		name,
		userHome: at.userHome,
		home,
		definitionFile:
			at.supervisor === "systemd"
				? join(settings, "systemd", "user", `${name}.service`)
				: join(at.userHome, "Library", "LaunchAgents", `${name}.plist`),
		environmentFile: join(home, "service.env"),
		outputFile: join(home, "logs", "service.log"),
		logFile: join(home, "logs", "rightseat.log"),
	};
}
