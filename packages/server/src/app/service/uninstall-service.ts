import { existsSync, rmSync } from "node:fs";
import { EXIT } from "@rightseat/cli/cli-error";
import type { ServiceDeps } from "./service-deps.ts";
import { mustBeInstalled } from "./status.ts";

/** `service uninstall`: ends the service and removes what `install` wrote. */
export async function uninstallService(deps: ServiceDeps): Promise<number> {
	mustBeInstalled(deps);
	await removeService(deps);
	deps.cli.print(deps.words.uninstalled(deps.place.home));
	return EXIT.done;
}

/** The definition goes only after the service has ended: without it nobody could stop it any more. */
export async function removeService({ cli, words, place, manager }: ServiceDeps): Promise<void> {
	await manager.disable();
	for (const file of [place.definitionFile, place.environmentFile, place.outputFile]) {
		if (!existsSync(file)) continue;
		rmSync(file);
		cli.print(words.removed(file));
	}
	await manager.forget();
}
