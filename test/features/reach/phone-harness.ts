import { createServer, get, type Server } from "node:http";
import { request } from "node:https";

interface Answer {
	status: number;
	headers: NodeJS.Dict<string | string[]>;
	body: string;
}
/** A request of a phone to an address that leads to this machine, trusting the given authority. */
export function ask(
	url: string,
	{ ca, json, headers = {} }: { ca: string; json?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
	const { hostname, host, port, pathname, search } = new URL(url);
	const body = json === undefined ? undefined : JSON.stringify(json);
	return new Promise((resolve, reject) => {
		const sent = request(
			{
				...{ host: "127.0.0.1", port, path: `${pathname}${search}`, ca, method: body === undefined ? "GET" : "POST", agent: false },
				...(/^[\d.]+$/.test(hostname) ? {} : { servername: hostname }),
				headers: { host, ...(body === undefined ? {} : { "content-type": "application/json", origin: `https://${host}` }), ...headers },
			},
			(response) => {
				let text = "";
				response.setEncoding("utf8").on("data", (chunk: string) => {
					text += chunk;
				});
				response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
			},
		);
		sent.on("error", reject);
		sent.end(body);
	});
}
/** Spends the code of a login link. */
export const logIn = (link: string, ca: string) => {
	const { origin, hash } = new URL(link);
	return ask(`${origin}/api/login`, { ca, json: { code: new URLSearchParams(hash.slice(1)).get("code") } });
};

/** Another server of this machine, which says that it is well. */
export async function listenElsewhere() {
	const server: Server = createServer((_request, response) => response.end('{"status":"ok"}'));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	return {
		port: typeof address === "object" && address !== null ? address.port : 0,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

/** Plain HTTP under a name that a proxy would pass on. */
export function askPlain(url: string, host: string): Promise<{ status: number; body: string }> {
	return new Promise((resolve, reject) => {
		const sent = get(url, { headers: { host }, agent: false }, (response) => {
			let body = "";
			response.setEncoding("utf8").on("data", (chunk: string) => {
				body += chunk;
			});
			response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
		});
		sent.on("error", reject);
	});
}
