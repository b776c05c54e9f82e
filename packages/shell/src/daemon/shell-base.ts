import { bashProblem, findBash } from "../environment/find-bash.ts";
import { loginEnvironment } from "../environment/login-env.ts";
import { launch } from "../process/launch.ts";
import type { Native } from "../process/native.ts";
import { ShellUnavailable } from "../process/shell-unavailable.ts";
import type { StateView } from "../state/snapshot.ts";
import type { StateStore } from "../state/state-store.ts";

/** What every command starts from; known soon after the start of this process. */
export interface ShellBase {
	/** Environment of a fresh command. */
	env: Promise<Record<string, string>>;
	/** The bash to run; rejects with what to do when there is none. */
	bash: Promise<string>;
}

export interface ShellBaseDeps {
	env: Record<string, string>;
	secrets: string[];
	started: Set<number>;
	native: Native;
	tag: string;
	runDirectory: string;
	states: StateStore;
}

export function findShellBase(deps: ShellBaseDeps): ShellBase {
	const login = loginEnvironment(deps);
	const bash = login.then(async (found) => {
		const shell = await findBash(found.PATH ?? "");
		const problem = bashProblem(shell);
		if (shell === undefined || problem !== undefined) throw new ShellUnavailable(problem ?? "No bash was found.");
		return shell.path;
	});
	// Each command will say so itself.
	bash.catch(() => undefined);
	const env = login.then(async (found) => {
		deps.states.setBase(await bash.then((path) => freshState(found, path, deps)).catch(() => new Map()));
		return found;
	});
	return { env, bash };
}

/** What a shell looks like that nobody has changed, to tell later what a command did change. */
function freshState(env: Record<string, string>, bash: string, { tag, runDirectory, native, started }: ShellBaseDeps): Promise<StateView> {
	return new Promise((resolve) => {
		try {
			const shell = launch({ key: "base", command: ":", directories: ["/"], bash, env, tag, runDirectory, restore: null, native, started });
			shell.onExit(() => {
				const snapshot = shell.takeSnapshot();
				resolve(typeof snapshot === "object" ? snapshot.state : new Map());
			});
		} catch {
			// Each command will say so itself.
			resolve(new Map());
		}
	});
}
