import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { prepareHome } from "../home/home-directory.ts";
import { setInConfigFile } from "./config-file.ts";
import type { FleetRun } from "./fleet-command.ts";

/** How NATS is reached, as a command was told. */
export type Configured = NonNullable<ReturnType<FleetRun["configured"]>>;

/** The home, which must have no place in a fleet yet. */
export async function freeHome(run: FleetRun) {
	prepareHome(run.home);
	const home = createFleetHome(run.home);
	const before = await home.find();
	if (before !== undefined) throw new CliError(run.words.already(before.fleet), EXIT.failed);
	return home;
}

/** What the server will read at its next start; nothing is written where it reads the same already. */
export function keepSettings(run: FleetRun, { url, credsFile, caFile }: Configured): void {
	const { words, cli, home } = run;
	const settled = run.settled();
	if (settled?.url === url && settled.credsFile === credsFile && settled.caFile === caFile) return;
	const file = setInConfigFile(home, {
		fleetUrl: url,
		...(credsFile === undefined ? {} : { fleetCreds: credsFile }),
		...(caFile === undefined ? {} : { fleetCa: caFile }),
	});
	if (file === undefined) return;
	cli.print(words.kept(file));
	cli.print(words.restart);
}

/** SHA-256 of the certificate in a file. Throws CliError when there is none. */
export function hashOf(file: string): string {
	try {
		return new X509Certificate(readFileSync(file)).fingerprint256.replaceAll(":", "").toLowerCase();
	} catch (error) {
		throw new CliError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
}
