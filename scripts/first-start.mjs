// Measures what a newcomer waits for: a fresh clone with an empty home and an empty npm cache, to the ready line and to the first answer.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";
import { runScript, Trouble } from "./lib/progress.mjs";
import { run, runNpm } from "./lib/run.mjs";

const LIMIT_MS = 10 * 60 * 1000;

await runScript(async () => {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-first-"));
	const clone = join(folder, "clone");
	const env = { ...process.env, HOME: join(folder, "home"), npm_config_cache: join(folder, "cache"), PORT: "0" };
	mkdirSync(env.HOME);
	try {
		const startedAt = Date.now();
		await run("git", ["clone", "--quiet", ROOT, clone], {});
		const first = await start(clone, env);
		const readyMs = Date.now() - startedAt;
		await firstAnswer(clone, first.url, readFileSync(join(env.HOME, ".rightseat", "token"), "utf8").trim());
		const answerMs = Date.now() - startedAt;
		await first.stop();
		const againAt = Date.now();
		const second = await start(clone, env);
		const againMs = Date.now() - againAt;
		await second.stop();
		const installed = size(join(clone, "node_modules"));
		rmSync(join(clone, "node_modules"), { recursive: true });
		await runNpm(["ci", "--omit=dev", "-w", "packages/server", "--include-workspace-root=false", "--loglevel=error"], { cwd: clone, env });
		const production = size(join(clone, "node_modules"));
		console.log(`clone to ready      ${seconds(readyMs)}`);
		console.log(`clone to answer     ${seconds(answerMs)}`);
		console.log(`second start        ${seconds(againMs)}`);
		console.log(`to build and run    ${megabytes(installed)}`);
		console.log(`to run              ${megabytes(production)}`);
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});

/**
 * @param {string} clone
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
function start(clone, env) {
	return new Promise((resolve, reject) => {
		const child = spawn("npm", ["start"], { cwd: clone, env, stdio: ["ignore", "pipe", "inherit"] });
		const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
		const ended = new Promise((done) => child.once("exit", done));
		let output = "";
		child.stdout.on("data", (chunk) => {
			output += chunk;
			const url = /^Rightseat is ready on (\S+)$/m.exec(output)?.[1];
			if (url === undefined) return;
			clearTimeout(timer);
			const stop = async () => {
				child.kill("SIGTERM");
				await ended;
			};
			resolve({ url, stop });
		});
		void ended.then(() => reject(new Trouble(`It ended before it was ready.\n${output}`)));
	});
}

/** @param {string} clone @param {string} url @param {string} token */
async function firstAnswer(clone, url, token) {
	const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
	const { conversation } = await (await fetch(`${url}/api/conversations`, { method: "POST", headers, body: "{}" })).json();
	const { WebSocket } = createRequire(join(clone, "packages/server/package.json"))("ws");
	const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers: { ...headers, origin: url } });
	await new Promise((resolve, reject) => {
		socket.on("error", reject);
		socket.on("open", () =>
			socket.send(JSON.stringify({ type: "copilot:send", data: { conversationId: conversation.id, prompt: "Hello" } })),
		);
		socket.on("message", (/** @type {Buffer} */ raw) => {
			if (JSON.parse(raw.toString()).type === "copilot:delta") resolve(undefined);
		});
	});
	socket.terminate();
}

/** Bytes on disk, as `du` counts them. @param {string} folder @returns {number} */
function size(folder) {
	return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
		const path = join(folder, entry.name);
		if (entry.isSymbolicLink()) return sum;
		return sum + (entry.isDirectory() ? size(path) + 4096 : statSync(path).blocks * 512);
	}, 0);
}

/** @param {number} ms */
function seconds(ms) {
	return `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} bytes */
function megabytes(bytes) {
	return `${Math.round(bytes / 1024 / 1024)} MB`;
}
