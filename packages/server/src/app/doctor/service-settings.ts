import { join } from "node:path";
import { CliError } from "@rightseat/cli/cli-error";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { parseConfig } from "../config/config.ts";
import { ALL_SETTINGS } from "../config/config-schema.ts";
import { readEnvironment } from "../service/environment-file.ts";
import { serviceWords } from "../service/words.ts";
import { type Finding, failure, ok } from "./finding.ts";

/**
 * The environment in which the server of this home runs: where a service is installed that is the one of the service, not of the shell from
 * which somebody looks. A copy: whoever reads it takes the secrets out of the given one. What is set in the shell goes before it, so that a new key can be tried.
 */
export function withServiceSettings(
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	cwd: string,
): { env: NodeJS.ProcessEnv; finding?: Finding } {
	const shell = { ...env };
	// For the home alone: what is missing in the shell may stand in the file.
	const parsed = parseConfig(args, { HOME: env.HOME, RIGHTSEAT_HOME: env.RIGHTSEAT_HOME }, cwd);
	if (parsed.kind !== "config") return { env: shell };
	const file = join(parsed.config.home, "service.env");
	try {
		const service = readEnvironment(file, serviceWords(languageOf(env)));
		if (service.size === 0) return { env: shell };
		const given = ALL_SETTINGS.flatMap(({ env: name }) =>
			name === undefined || (env[name] ?? "").trim() === "" ? [] : [[name, env[name]]],
		);
		return {
			env: { ...shell, ...Object.fromEntries(service), ...Object.fromEntries(given) },
			finding: ok("service", `looked at with its settings (${file}); what is set in this shell goes before them`),
		};
	} catch (error) {
		if (error instanceof CliError) return { env: shell, finding: failure("service", error.message) };
		return { env: shell, finding: failure("service", `${file} cannot be read. It must be a file of yours.`) };
	}
}
