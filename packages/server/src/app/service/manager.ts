import type { Launch } from "./systemd-unit.ts";

/** What a supervisor says about our service. */
export interface ServiceState {
	state: "absent" | "running" | "starting" | "stopped" | "failed";
	/** Of the server, while it runs. */
	pid?: number;
	/** How the last run ended, as the supervisor says it. */
	detail?: string;
}

/** The supervisor of this machine, for the service of one home. Every call throws CliError with what it said when it refuses. */
export interface ServiceManager {
	/** Why it cannot be used here, in its own words; undefined if it can. */
	findObstacle(): Promise<string | undefined>;
	/** The text of the unit or agent. */
	definition(launch: Launch, options: { strict: boolean }): Promise<string>;
	/** Takes up what was written, starts it now, again if it runs, and at every login. */
	enable(): Promise<void>;
	restart(): Promise<void>;
	/** Ends it until somebody starts it. */
	stop(): Promise<void>;
	/** Ends it now and at logins; what is not there is not an error. */
	disable(): Promise<void>;
	/** After the definition was removed. */
	forget(): Promise<void>;
	state(): Promise<ServiceState>;
	/** Whether it goes on after the last logout, and how that is changed; undefined where there is no such choice. */
	linger?: { isOn(): Promise<boolean | undefined>; turnOn(): Promise<void> };
}
