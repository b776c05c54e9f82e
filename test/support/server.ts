import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "./free-port.ts";
import { writeToken } from "./write-token.ts";
import { connectWs, type WsClient, type WsClientOptions } from "./ws-client.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_LIMIT_MS = 60_000;
const EXIT_LIMIT_MS = 20_000;

export interface TestServerOptions {
	/** Added to a small clean environment: nothing of the developer's own settings gets in. */
	env?: NodeJS.ProcessEnv;
	args?: string[];
	/** A home directory to keep; without one a new one is made and removed at the end. */
	home?: string;
	/** Without one a free one is taken; a restart stays on it. */
	port?: number;
	/** Working directory; without one a new empty one. */
	workdir?: string;
	/** The built server instead of the sources; `npm test` says so for all. */
	built?: boolean;
	/** Another program than ours, such as one that was installed. */
	program?: string;
}

/** The whole server in a process of its own, with a home directory of its own. */
export interface TestServer {
	readonly url: string;
	readonly port: number;
	readonly home: string;
	readonly workdir: string;
	readonly pid: number;
	/** The long-lived access token. */
	readonly token: string;
	/** The login link it printed. */
	readonly loginUrl: string;
	/** A request with the access token; `json` becomes the body. */
	api(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
	/** Logs in with the access token and gives the Cookie header of the session. */
	login(): Promise<string>;
	/** A WebSocket client with the access token. */
	ws(options?: Partial<WsClientOptions>): Promise<WsClient>;
	/** Everything it printed so far, both streams. */
	output(): string;
	/** The log file so far. */
	log(): string;
	/** Resolves with the exit code, or the signal's name. */
	readonly exited: Promise<number | string>;
	kill(signal?: NodeJS.Signals): Promise<number | string>;
	/** Starts it again on the same home and port, killing it first if it still runs. */
	restart(env?: NodeJS.ProcessEnv): Promise<TestServer>;
	/** Ends it and removes what was made for it. */
	close(): Promise<void>;
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
	const home = options.home ?? mkdtempSync(join(tmpdir(), "rightseat-home-"));
	const workdir = options.workdir ?? mkdtempSync(join(tmpdir(), "rightseat-work-"));
	const made = [options.home === undefined ? [home] : [], options.workdir === undefined ? [workdir] : []].flat();
	if (options.home === undefined) writeToken(home);
	const running = launch({ ...options, home, workdir, port: options.port ?? (await freePort()) });
	const { url, loginUrl } = await running.ready;
	const token = readFileSync(join(home, "token"), "utf8").trim();
	const port = Number(new URL(url).port);

	const server: TestServer = {
		url,
		port,
		home,
		workdir,
		pid: running.child.pid ?? 0,
		token,
		loginUrl,
		api(path, { json, ...init } = {}) {
			const headers = new Headers(init.headers);
			if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
			if (json !== undefined) headers.set("content-type", "application/json");
			return fetch(`${url}${path}`, { ...init, headers, body: json === undefined ? init.body : JSON.stringify(json) });
		},
		async login() {
			const response = await fetch(`${url}/api/login`, {
				method: "POST",
				headers: { "content-type": "application/json", origin: url },
				body: JSON.stringify({ token }),
			});
			if (response.status !== 204) throw new Error(`Login answered ${response.status}: ${await response.text()}`);
			return response.headers
				.getSetCookie()
				.map((cookie) => cookie.split(";")[0])
				.join("; ");
		},
		ws: (overrides) => connectWs({ url, token, ...overrides }),
		output: running.output,
		log: () => readIfThere(join(home, "logs", "rightseat.log")),
		exited: running.exited,
		async kill(signal = "SIGKILL") {
			running.child.kill(signal);
			return await within(running.exited, EXIT_LIMIT_MS, () => `The server did not end after ${signal}.\n${running.output()}`);
		},
		async restart(env) {
			await server.kill();
			return await startServer({ ...options, home, workdir, port, env: { ...options.env, ...env } });
		},
		async close() {
			const exit = await server.kill("SIGTERM").catch(() => server.kill("SIGKILL"));
			for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
			if (exit !== 0 && exit !== "SIGKILL") throw new Error(`The server ended with ${exit}.\n${running.output()}`);
		},
	};
	return server;
}

/** Runs the command line to its end: for what must not start, and for `doctor`, `help`, `version`. */
export async function runToEnd(
	options: TestServerOptions & { home: string; workdir: string },
): Promise<{ exit: number | string; output: string }> {
	const running = launch(options);
	running.ready.catch(() => undefined);
	const exit = await within(running.exited, READY_LIMIT_MS, () => `It did not end.\n${running.output()}`).finally(() =>
		running.child.kill("SIGKILL"),
	);
	return { exit, output: running.output() };
}

function launch(options: TestServerOptions & { home: string; workdir: string }) {
	const child = spawn(process.execPath, [...entry(options), ...(options.args ?? [])], {
		cwd: options.workdir,
		env: cleanEnv(options),
		stdio: ["ignore", "pipe", "pipe"],
	});
	const killWithUs = () => child.kill("SIGKILL");
	process.once("exit", killWithUs);
	let output = "";
	const keep = (chunk: Buffer) => {
		output += chunk.toString();
	};
	child.stdout.on("data", keep);
	child.stderr.on("data", keep);
	const exited = new Promise<number | string>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			process.off("exit", killWithUs);
			resolve(code ?? signal ?? "unknown");
		});
	});
	return { child, exited, output: () => output, ready: untilReady(child, exited, () => output) };
}

async function untilReady(child: ChildProcess, exited: Promise<number | string>, output: () => string) {
	const ready = new Promise<{ url: string; loginUrl: string }>((resolve) => {
		const look = () => {
			const url = /^Rightseat is ready on (\S+)$/m.exec(output())?.[1];
			const loginUrl = /(\S+\/#code=\S+)\s/.exec(output())?.[1];
			if (url !== undefined && loginUrl !== undefined) resolve({ url, loginUrl });
		};
		child.stdout?.on("data", look);
	});
	const ended = exited.then((exit) => Promise.reject(new Error(`The server ended with ${exit} before it was ready.\n${output()}`)));
	return await within(Promise.race([ready, ended]), READY_LIMIT_MS, () => {
		child.kill("SIGKILL");
		return `The server was not ready after ${READY_LIMIT_MS / 1000} s.\n${output()}`;
	});
}

function entry({ program, built = process.env.RIGHTSEAT_TEST_BUILT === "1" }: TestServerOptions): string[] {
	if (program !== undefined) return [program];
	if (built) return [join(ROOT, "packages/server/dist/main.js")];
	const tsx = pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;
	return ["--import", tsx, join(ROOT, "packages/server/src/app/main.ts")];
}

function cleanEnv({ env, home, port }: TestServerOptions): NodeJS.ProcessEnv {
	return {
		PATH: process.env.PATH,
		HOME: home,
		LANG: "C.UTF-8",
		TMPDIR: tmpdir(),
		RIGHTSEAT_HOME: home,
		PORT: String(port ?? 0),
		RIGHTSEAT_LOG: "debug",
		// A scripted model would answer the question for a title with what a test meant for a prompt.
		RIGHTSEAT_TITLES: "prompt",
		...env,
	};
}

const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

async function within<T>(work: Promise<T>, limitMs: number, message: () => string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(message())), limitMs);
	});
	return await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
