import { ChildProcess } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import type { Cancel } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { MARKER_VARIABLE } from "../../markers.ts";

export interface ClientSettings {
	home: string;
	env: Record<string, string | undefined>;
	/** Handed on to whatever the runtime starts. */
	marker?: string;
}

/** Where the agent keeps sessions and spilled tool output; nobody else may read it. */
export function agentDirectories(home: string) {
	const base = join(home, "agent");
	const spills = join(base, "tool-output");
	return { base, spills, sessions: join(base, "session-state") };
}

export function createClient(settings: ClientSettings): CopilotClient {
	const { base, spills } = agentDirectories(settings.home);
	mkdirSync(spills, { recursive: true, mode: 0o700 });
	const path = settings.env.COPILOT_CLI_PATH;
	if (path !== undefined) requireProgram(path);
	return new CopilotClient({
		// TCP answers 50 times slower and its runtime outlives a killed server.
		connection: RuntimeConnection.forStdio(path === undefined ? {} : { path }),
		baseDirectory: base,
		workingDirectory: base,
		env: { ...runtimeEnv(settings.env), ...(settings.marker === undefined ? {} : { [MARKER_VARIABLE]: settings.marker }) },
		logLevel: "error",
		// A token given here would be in the environment of everything that the runtime starts; sessions get it one by one.
		useLoggedInUser: false,
		clientInfo: { applicationName: "rightseat" },
	});
}

function requireProgram(path: string) {
	try {
		accessSync(path, constants.X_OK);
	} catch (error) {
		throw new AppError("runtime-start-failed", `COPILOT_CLI_PATH names ${path}, which is not a program that can be run.`, {
			cause: error,
			params: { reason: "not-a-program", path },
		});
	}
}

/** The runtime's tools inherit its environment: whatever is not named here cannot leak into what the agent runs. */
export function runtimeEnv(env: Record<string, string | undefined>): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && (PASSED_ON.has(name.toUpperCase()) || name.startsWith("LC_"))) kept[name] = value;
		// Where the token is sent: another machine than GitHub's must never be named by the environment.
		if (value !== undefined && GITHUB_STAND_INS.has(name) && isLoopback(value)) kept[name] = value;
	}
	return kept;
}

/** Point the runtime at a GitHub that a test plays on this machine. */
const GITHUB_STAND_INS = new Set(["COPILOT_DEBUG_GITHUB_API_URL", "COPILOT_API_URL"]);

const isLoopback = (url: string) => URL.canParse(url) && new URL(url).hostname === "127.0.0.1";

const PASSED_ON = new Set([
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"LANG",
	"LANGUAGE",
	"TZ",
	"TMPDIR",
	"TEMP",
	"TMP",
	"HTTP_PROXY",
	"HTTPS_PROXY",
	"NO_PROXY",
	"ALL_PROXY",
	"SSL_CERT_FILE",
	"SSL_CERT_DIR",
	"NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT",
	"USERPROFILE",
	"APPDATA",
	"LOCALAPPDATA",
	"COMSPEC",
	"PATHEXT",
]);

/** The SDK keeps its child to itself and says nothing when it dies; where the field is there, its exit tells us within milliseconds. */
export function watchExit(client: CopilotClient, onExit: () => void): Cancel {
	const child = runtimeProcess(client);
	child?.once("exit", onExit);
	return () => child?.off("exit", onExit);
}

export function runtimeProcess(client: CopilotClient): ChildProcess | undefined {
	const child: unknown = Reflect.get(client, "cliProcess");
	return child instanceof ChildProcess ? child : undefined;
}

/** Bytes come before the events in them: a large one may take longer to arrive than a ping may go unanswered. */
export function watchOutput(client: CopilotClient, onOutput: () => void): Cancel {
	const output = runtimeProcess(client)?.stdout;
	output?.on("data", onOutput);
	return () => output?.off("data", onOutput);
}
