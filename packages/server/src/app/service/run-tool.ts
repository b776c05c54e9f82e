import { execFile } from "node:child_process";
import { existsSync } from "node:fs";

/** How a program of the machine ended. */
export interface ToolResult {
	/** The exit code; 127 when there is no such program. */
	code: number;
	stdout: string;
	stderr: string;
}

/** Runs a program of the machine to its end. Never rejects. */
export type RunTool = (program: string, args: readonly string[]) => Promise<ToolResult>;

/** Longer than any of them waits by itself: a stop takes 20 s at most. */
const LIMIT_MS = 90_000;
const MAX_OUTPUT_BYTES = 1_048_576;

export function createRunTool(env: NodeJS.ProcessEnv, limitMs = LIMIT_MS): RunTool {
	const clean = toolEnvironment(env);
	return (program, args) =>
		new Promise((resolve) => {
			execFile(program, args, { env: clean, timeout: limitMs, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
				if (error === null) resolve({ code: 0, stdout, stderr });
				else if (error.code === "ENOENT") resolve({ code: 127, stdout, stderr: `${program}: not found` });
				else
					resolve({ code: typeof error.code === "number" ? error.code : 1, stdout, stderr: stderr.trim() === "" ? error.message : stderr });
			});
		});
}

const NEEDED = [
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"XDG_RUNTIME_DIR",
	"XDG_CONFIG_HOME",
	"XDG_DATA_HOME",
	"DBUS_SESSION_BUS_ADDRESS",
	"TMPDIR",
	"NODE_EXTRA_CA_CERTS",
	"HTTP_PROXY",
	"HTTPS_PROXY",
	"NO_PROXY",
	"http_proxy",
	"https_proxy",
	"no_proxy",
];

/** Only what they need; their answers are read, so they speak English. A shell that did not come from a login has forgotten where the user's bus is. */
function toolEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const clean: NodeJS.ProcessEnv = { LC_ALL: "C" };
	for (const name of NEEDED) if (env[name] !== undefined) clean[name] = env[name];
	const runtime = `/run/user/${process.getuid?.() ?? ""}`;
	if (clean.XDG_RUNTIME_DIR === undefined && existsSync(`${runtime}/bus`)) clean.XDG_RUNTIME_DIR = runtime;
	return clean;
}
