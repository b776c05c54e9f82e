import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { Config } from "../config/config.ts";
import { type Finding, ok, warning } from "./finding.ts";

const LIMIT_MS = 5_000;

/** Asks through the address that people use: what the proxy in front leaves out is seen only from there. */
export async function checkPublicAddress(config: Pick<Config, "publicUrl" | "behindProxy">): Promise<Finding> {
	const { publicUrl } = config;
	if (publicUrl === undefined) {
		const missing = "behind a proxy without RIGHTSEAT_PUBLIC_URL: only local names are answered. Set it to the address that people open.";
		return config.behindProxy
			? warning("public address", missing)
			: ok("public address", "none; people use the address that the start prints");
	}
	const { origin } = new URL(publicUrl);
	const health = await ask(`${publicUrl}/healthz`, { origin });
	if (health === undefined) {
		return warning(
			"public address",
			`${publicUrl} does not answer from here. Start Rightseat and its proxy; docs/proxies.md has both set up.`,
		);
	}
	if (health.status !== 200) {
		return warning(
			"public address",
			`${publicUrl}/healthz answers ${health.status} instead of 200. The proxy must pass every path; see docs/proxies.md.`,
		);
	}
	if (origin.startsWith("https:") && health.headers["strict-transport-security"] === undefined) {
		return warning(
			"public address",
			`${publicUrl} is not served as https by Rightseat. Restart it with RIGHTSEAT_PUBLIC_URL=${publicUrl}.`,
		);
	}
	const upgrade = await ask(`${publicUrl}/ws`, { origin, connection: "Upgrade", upgrade: "websocket", ...WEBSOCKET });
	// A refused upgrade is answered without the page's policy; with it, the proxy made a plain request of it.
	if (upgrade === undefined || upgrade.status !== 401 || upgrade.headers["content-security-policy"] !== undefined) {
		return warning(
			"public address",
			`${publicUrl} does not pass WebSockets on. The proxy must forward Upgrade and Connection; see docs/proxies.md.`,
		);
	}
	return ok("public address", `${publicUrl} answers, WebSockets pass`);
}

const WEBSOCKET = { "sec-websocket-version": "13", "sec-websocket-key": "cmlnaHRzZWF0IGRvY3RvcgA=" };

interface Answer {
	status: number;
	headers: NodeJS.Dict<string | string[]>;
}

function ask(url: string, headers: Record<string, string>): Promise<Answer | undefined> {
	return new Promise((resolve) => {
		const send = url.startsWith("https:") ? overHttps : overHttp;
		// Whether the certificate is good is for browsers to say; here the question is what comes through.
		const sent = send(url, { headers, timeout: LIMIT_MS, rejectUnauthorized: false }, (response) => {
			response.resume();
			resolve({ status: response.statusCode ?? 0, headers: response.headers });
		});
		sent.on("upgrade", (response, socket) => {
			socket.destroy();
			resolve({ status: response.statusCode ?? 0, headers: response.headers });
		});
		sent.on("timeout", () => sent.destroy());
		sent.on("error", () => resolve(undefined));
		sent.end();
	});
}
