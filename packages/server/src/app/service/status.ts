import { existsSync } from "node:fs";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { lastSaid } from "./last-output.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { findHealthy, getHealthy } from "./wait-until-healthy.ts";

/** Throws CliError when no service is installed for this home. */
export function mustBeInstalled({ place, words }: Pick<ServiceDeps, "place" | "words">): void {
	if (!existsSync(place.definitionFile)) throw new CliError(words.notInstalled(place.home), EXIT.usage);
}

/** `service status`: exit 0 healthy, 1 not, 2 not installed. */
export async function showStatus(deps: ServiceDeps): Promise<number> {
	mustBeInstalled(deps);
	const { cli, words, place, manager } = deps;
	const state = await manager.state();
	const server = await findHealthy(place.home, state.pid);
	const rows: [string, string][] = [
		[words.labels.home, place.home],
		[words.labels.definition, place.definitionFile],
		[words.labels.settings, place.environmentFile],
		[words.labels.log, place.logFile],
	];
	if (server !== undefined) rows.unshift([words.labels.address, server.url], [words.labels.since, server.startedAt]);
	const lingers = await manager.linger?.isOn();
	if (lingers !== undefined) rows.push([words.labels.afterLogout, lingers ? words.goesOn : words.endsWithLogout]);
	cli.print(sentence(deps, state, server));
	if (server?.status === "degraded") cli.print(words.degraded);
	cli.print(rows.map(([label, value]) => `  ${label.padEnd(12)}${value}`).join("\n"));
	if (server !== undefined) return EXIT.done;
	const said = lastSaid(place.outputFile);
	if (said.length > 0) cli.print([words.lastSaid, ...said].join("\n"));
	return EXIT.failed;
}

function sentence(
	{ words, supervisor }: ServiceDeps,
	{ state, pid = 0, detail = state }: Awaited<ReturnType<ServiceDeps["manager"]["state"]>>,
	server: Awaited<ReturnType<typeof findHealthy>>,
): string {
	if (server !== undefined) return words.running({ supervisor, pid, version: server.version });
	switch (state) {
		case "running":
			return words.notAnswering(pid);
		case "starting":
			return words.starting;
		case "failed":
			return words.failed(detail);
		case "stopped":
		case "absent":
			return words.stopped(detail);
	}
}

/** `service restart`: also starts one that was stopped. */
export async function restartService(deps: ServiceDeps): Promise<number> {
	mustBeInstalled(deps);
	const { cli, words, manager } = deps;
	await manager.restart();
	const { version } = await getHealthy(deps);
	cli.print(words.restarted(version));
	return EXIT.done;
}
