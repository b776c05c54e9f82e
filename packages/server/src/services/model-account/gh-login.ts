import { execFile } from "node:child_process";
import { homedir } from "node:os";
import type { GhLoginView } from "@rightseat/protocol/http/model-account";
import { AppError } from "../../core/kernel/errors.ts";

/** The login that the GitHub CLI has on this machine. */
export interface GhLogin {
	/** Whether there is one, and whose; never its token. Never rejects. */
	look(): Promise<GhLoginView>;
	/** Its token as of now: `gh` may have a new one each time. Rejects with `provider-auth` when there is none. */
	token(): Promise<string>;
}

/** A keychain that is locked would ask somebody who is not there. */
const GH_TIMEOUT_MS = 5_000;
const MAX_GH_OUTPUT_BYTES = 65_536;
const HOST = "github.com";

/** Asks `gh`, where it is on the `PATH`. It is started only when somebody asks. */
export function createGhLogin(env: Record<string, string | undefined>, timeoutMs = GH_TIMEOUT_MS): GhLogin {
	const ask = (...args: string[]) => runGh(args, ghEnvironment(env), timeoutMs);
	async function findToken(): Promise<string | undefined> {
		const token = await ask("auth", "token", "--hostname", HOST);
		return token !== undefined && /^[\x21-\x7e]{8,4096}$/.test(token) ? token : undefined;
	}
	return {
		async look() {
			if ((await findToken()) === undefined) return { available: false, host: HOST };
			const user = await ask("config", "get", "user", "--host", HOST);
			return { available: true, host: HOST, ...(user !== undefined && /^[\w-]{1,100}$/.test(user) ? { user } : {}) };
		},
		async token() {
			const token = await findToken();
			if (token === undefined) throw noLogin();
			return token;
		},
	};
}

/** Where nobody is asked. */
export const NO_GH_LOGIN: GhLogin = {
	look: async () => ({ available: false, host: HOST }),
	token: () => Promise.reject(noLogin()),
};

const noLogin = () =>
	new AppError("provider-auth", "The GitHub CLI (gh) has no login here. Run “gh auth login”, then try again.", {
		params: { reason: "no-gh-login" },
	});

/** What it prints on standard output, trimmed; undefined when it is not there, fails, or takes too long. Nothing of it is logged. */
function runGh(args: string[], env: Record<string, string>, timeout: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		const options = { env, cwd: homedir(), timeout, killSignal: "SIGKILL" as const, maxBuffer: MAX_GH_OUTPUT_BYTES, windowsHide: true };
		try {
			execFile("gh", args, options, (error, stdout) => resolve(error === null ? stdout.trim() : undefined)).stdin?.end();
		} catch {
			// An environment that no process can have.
			resolve(undefined);
		}
	});
}

/** What `gh` needs to find its own files and the keychain: with a token in its environment it would give that one back. */
function ghEnvironment(env: Record<string, string | undefined>): Record<string, string> {
	const kept: Record<string, string> = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
	for (const [name, value] of Object.entries(env)) if (value !== undefined && NEEDED.test(name)) kept[name] = value;
	return kept;
}

const NEEDED =
	/^(?:PATH|HOME|USER|LOGNAME|LANG|XDG_.*|GH_CONFIG_DIR|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|USERPROFILE|APPDATA|LOCALAPPDATA|PATHEXT)$/i;
