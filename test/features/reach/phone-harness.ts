import { createServer, get, type Server } from "node:http";
import { request } from "node:https";
import { type PairParts, runPair } from "../../../packages/server/src/app/reach/pair-command.ts";
import type { StandInTailscale } from "../../support/stand-in-tailscale/stand-in-tailscale.ts";
import type { WebBed } from "../../support/ws-harness.ts";

export type PairRun = Partial<PairParts> & { env?: NodeJS.ProcessEnv };

/** The command in this process, as `rightseat pair ARGS` runs it. */
export async function runPairIn(bed: WebBed, tailscale: StandInTailscale, args: string[], parts: PairRun) {
	const said = { out: "", err: "" };
	const cli = {
		...{ argv: [], cwd: bed.home, commands: [], env: { ...tailscale.env, RIGHTSEAT_HOME: bed.home, ...parts.env } },
		print(text: string) {
			said.out += `${text}\n`;
		},
		printError(text: string) {
			said.err += `${text}\n`;
		},
	};
	const exit = await runPair(args, cli, { person: undefined, ca: tailscale.ca, ...parts });
	return { exit, ...said, link: /^https:\S+#code=\S+$/m.exec(said.out)?.[0] ?? "" };
}

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
