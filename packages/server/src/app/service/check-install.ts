import { safeText } from "@rightseat/cli/terminal/safe-text";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { asProblem, createServiceDeps, takeHome } from "./create-service-deps.ts";
import { planInstall, readInstallOptions, refuseTemporaryPlace } from "./plan-install.ts";
import { serviceWords } from "./words.ts";

/** What `service install` would refuse about its arguments and this place, as a line; nothing is changed. */
export function checkInstall(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string | undefined {
	const words = serviceWords(languageOf(env));
	const ignore = () => undefined;
	try {
		const { home, others } = takeHome(args, env, words);
		const deps = createServiceDeps(home, { argv: args, env, cwd, print: ignore, printError: ignore, commands: [] });
		planInstall(deps, readInstallOptions(others, words));
		refuseTemporaryPlace(deps);
		return undefined;
	} catch (error) {
		return `rightseat service: ${safeText(asProblem(error, words).message)}`;
	}
}
