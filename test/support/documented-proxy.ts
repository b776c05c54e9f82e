import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProxy } from "../../scripts/lib/proxies.mjs";
import { ROOT } from "../unit/support/source-files.ts";
import { selfSigned } from "./self-signed.ts";

export type ProxyName = "nginx" | "caddy";

/** A proxy that runs with the file from the documentation; only name, ports and certificate are the test's. */
export interface DocumentedProxy {
	close(): Promise<void>;
}

export async function startDocumentedProxy(
	name: ProxyName,
	to: { port: number; host: string; serverPort: number },
): Promise<DocumentedProxy> {
	const program = findProxy(name);
	if (program === undefined) throw new Error(`There is no ${name} here.`);
	const folder = mkdtempSync(join(tmpdir(), `rightseat-${name}-`));
	const { cert, key } = selfSigned();
	writeFileSync(join(folder, "cert.pem"), cert);
	writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
	const args = name === "nginx" ? nginx(folder, to) : caddy(folder, to);
	const child = spawn(program, args, { env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
	let said = "";
	child.stderr.on("data", (chunk: Buffer) => {
		said = (said + chunk.toString("utf8")).slice(-4_000);
	});
	const close = async () => {
		await end(child);
		rmSync(folder, { recursive: true, force: true });
	};
	child.on("exit", (code) => {
		if (code !== 0 && code !== null) console.error(`${name} ended with ${code}: ${said}`);
	});
	return { close };
}

function nginx(folder: string, to: { port: number; host: string; serverPort: number }): string[] {
	const site = documented("nginx.conf", [
		["listen 443 ssl;", `listen 127.0.0.1:${to.port} ssl;`],
		["server_name pilot.example.org;", `server_name ${to.host};`],
		["/etc/letsencrypt/live/pilot.example.org/fullchain.pem", join(folder, "cert.pem")],
		["/etc/letsencrypt/live/pilot.example.org/privkey.pem", join(folder, "key.pem")],
		["127.0.0.1:7417", `127.0.0.1:${to.serverPort}`],
	]);
	writeFileSync(join(folder, "site.conf"), site);
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
	const whole = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`;
	writeFileSync(join(folder, "nginx.conf"), whole);
	return ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
}

function caddy(folder: string, to: { port: number; host: string; serverPort: number }): string[] {
	const site = documented("Caddyfile", [
		["\npilot.example.org {", `\nhttps://${to.host}:${to.port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`],
		["127.0.0.1:7417", `127.0.0.1:${to.serverPort}`],
	]);
	writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
	return ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
}

/** The file that people copy, with what they would change in it. */
function documented(file: string, changes: [string, string][]): string {
	let text = readFileSync(join(ROOT, "docs/proxies", file), "utf8");
	for (const [from, to] of changes) {
		if (!text.includes(from)) throw new Error(`docs/proxies/${file} has no ${JSON.stringify(from)} any more.`);
		text = text.replace(from, to);
	}
	return text;
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGKILL");
	await ended;
}
