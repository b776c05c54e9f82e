import { parseConfig } from "../config/config.ts";
import { checkInstall } from "../service/check-install.ts";

/** What is wrong with how a server is to be started or installed, as the command itself would say it: asked before its runtime is fetched, which may take minutes. */
export function checkStart(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string | undefined {
	const [first = "start", ...rest] = args;
	if (first === "service" && rest[0] === "install") return checkInstall(rest.slice(1), env, cwd);
	const isStart = first === "start" || first.startsWith("-");
	const parsed = isStart ? parseConfig(first === "start" ? rest : args, env, cwd) : undefined;
	return parsed?.kind === "error" ? parsed.message : undefined;
}
