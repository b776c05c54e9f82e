import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createLanCertificates } from "../../../packages/server/src/app/reach/lan-certificates.ts";

const NAME = "box.tail1234.ts.net";

/** What `tailscale status --json` says of a machine that is connected, as far as anybody reads it. */
const RUNNING = {
	Version: "1.94.1",
	BackendState: "Running",
	TailscaleIPs: ["127.0.0.1"],
	Self: { DNSName: `${NAME}.`, HostName: "box", TailscaleIPs: ["127.0.0.1"] },
	MagicDNSSuffix: "tail1234.ts.net",
	CertDomains: [NAME],
};

interface ServeConfig {
	TCP?: Record<string, unknown>;
	Web?: Record<string, { Handlers: Record<string, { Proxy: string }> }>;
	AllowFunnel?: Record<string, boolean>;
}

/** A machine with Tailscale: the program on the path, and the port on which Serve answers with a certificate that the test trusts. */
export interface StandInTailscale {
	/** To run commands with. */
	env: NodeJS.ProcessEnv;
	/** On which Serve can be reached, whatever is configured. */
	port: number;
	url: string;
	/** Who signed the certificate, as PEM. */
	ca: string;
	/** How it is from now on. */
	set(change: { status?: object; serve?: ServeConfig; mode?: "denied" | "not-enabled" | "no-websocket" | "deaf" | "" }): void;
	serve(): ServeConfig;
	/** Resolves when a request came that gets no answer. */
	unanswered(): Promise<void>;
	/** Every call of the program, as a line. */
	calls(): string[];
	close(): Promise<void>;
}

export async function startTailscale(): Promise<StandInTailscale> {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-tailscale-"));
	const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
	const write = (name: string, value: unknown) =>
		writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
	const readServe = (): ServeConfig => read("serve.json");
	mkdirSync(join(folder, "bin"));
	copyFileSync(join(import.meta.dirname, "tailscale.sh"), join(folder, "bin", "tailscale"));
	chmodSync(join(folder, "bin", "tailscale"), 0o755);

	const made = await createLanCertificates(folder, { names: () => ({ addresses: ["127.0.0.1"], name: NAME }) }).issue();
	if (made === undefined) throw new Error("No certificate for the stand-in.");
	const proxy = createServer({ cert: made.cert, key: made.key });
	const target = (asked: IncomingMessage) => {
		const to = readServe().Web?.[asked.headers.host ?? ""]?.Handlers["/"]?.Proxy;
		return to === undefined ? undefined : new URL(to);
	};
	proxy.on("request", (asked, answer) => {
		const to = target(asked);
		if (to === undefined) return answer.writeHead(404).end("no serve config");
		if (readFileSync(join(folder, "mode"), "utf8") === "deaf") return proxy.emit("deaf");
		const headers = { ...asked.headers, "x-forwarded-for": "100.64.0.7", "x-forwarded-proto": "https" };
		const sent = request({ host: to.hostname, port: to.port, method: asked.method, path: asked.url, headers }, (given) => {
			answer.writeHead(given.statusCode ?? 502, given.headers);
			given.pipe(answer);
		});
		sent.on("error", () => answer.destroy());
		asked.pipe(sent);
	});
	proxy.on("upgrade", (asked, socket) => {
		const to = target(asked);
		if (to === undefined || readFileSync(join(folder, "mode"), "utf8") === "no-websocket")
			return socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
		const through = connect(Number(to.port), to.hostname, () => {
			const headers = Object.entries(asked.headers).map(([name, value]) => `${name}: ${value}`);
			through.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
			through.pipe(socket).pipe(through);
		});
		through.on("error", () => socket.destroy());
		socket.on("error", () => through.destroy());
	});
	await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
	const address = proxy.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	/** Serve has these besides ours. */
	function setServe(others: ServeConfig): void {
		const ours = {
			...others,
			TCP: { ...others.TCP, [port]: { HTTPS: true } },
			Web: { ...others.Web, [`${NAME}:${port}`]: { Handlers: { "/": { Proxy: "@TARGET@" } } } },
		};
		for (const [name, value] of Object.entries({ "serve.json": others, "others.json": others, "ours.json": ours })) write(name, value);
	}
	write("status.json", RUNNING);
	write("mode", "");
	setServe({});
	return {
		env: { PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH ?? ""}`, HOME: folder, LANG: "C.UTF-8" },
		port,
		url: `https://${NAME}:${port}`,
		ca: readFileSync(join(folder, "lan", "ca.pem"), "utf8"),
		set({ status = {}, serve, mode }) {
			write("status.json", { ...RUNNING, ...status });
			if (serve !== undefined) setServe(serve);
			if (mode !== undefined) write("mode", mode);
		},
		serve: readServe,
		unanswered: () => new Promise((resolve) => proxy.once("deaf", () => resolve())),
		calls: () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n"),
		async close() {
			const closed = new Promise((resolve) => proxy.close(resolve));
			proxy.closeAllConnections();
			await closed;
			rmSync(folder, { recursive: true });
		},
	};
}
