import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerTo } from "./answer.mjs";

/** A small MCP server over HTTP on loopback; with `login` people have to sign in with OAuth, and its page sends the browser back at once. */
export interface HttpMcpServer {
	readonly url: string;
	/** The headers of every call of MCP so far. */
	readonly calls: IncomingMessage["headers"][];
	close(): Promise<void>;
}

export async function startHttpMcpServer({ login = false, manner = "plain" } = {}): Promise<HttpMcpServer> {
	const calls: IncomingMessage["headers"][] = [];
	let origin = "";
	const server = createServer((request, response) => void handle(request, response));

	async function handle(request: IncomingMessage, response: ServerResponse) {
		const { pathname, searchParams } = new URL(request.url ?? "/", origin);
		const body = await readAll(request);
		if (pathname === "/mcp") return answerMcp(request, response, body);
		if (pathname.startsWith("/.well-known/oauth-protected-resource"))
			return send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
		if (pathname.startsWith("/.well-known/oauth-authorization-server")) return send(response, 200, metadata(origin));
		if (pathname === "/register") return send(response, 201, { ...JSON.parse(body), client_id: "client-1" });
		if (pathname === "/token") return send(response, 200, { access_token: "token-1", token_type: "Bearer", expires_in: 3600 });
		if (pathname !== "/authorize") return send(response, 404, {});
		const back = new URL(searchParams.get("redirect_uri") ?? "");
		back.searchParams.set("code", "code-1");
		back.searchParams.set("state", searchParams.get("state") ?? "");
		return response.writeHead(302, { location: back.href }).end();
	}

	function answerMcp(request: IncomingMessage, response: ServerResponse, body: string) {
		calls.push(request.headers);
		if (login && request.headers.authorization !== "Bearer token-1") {
			response.setHeader("www-authenticate", `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`);
			return send(response, 401, { error: "invalid_token" });
		}
		if (request.method !== "POST") return response.writeHead(405).end();
		const answer = answerTo(JSON.parse(body), manner);
		return answer === undefined ? response.writeHead(202).end() : send(response, 200, answer);
	}

	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `${origin}/mcp`,
		calls,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const metadata = (origin: string) => ({
	issuer: origin,
	authorization_endpoint: `${origin}/authorize`,
	token_endpoint: `${origin}/token`,
	registration_endpoint: `${origin}/register`,
	response_types_supported: ["code"],
	grant_types_supported: ["authorization_code", "refresh_token"],
	code_challenge_methods_supported: ["S256"],
	token_endpoint_auth_methods_supported: ["none"],
});

function send(response: ServerResponse, status: number, body: unknown) {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString();
}
