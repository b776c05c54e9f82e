import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listRoutes } from "../../support/list-routes.ts";
import { lines, rawRequest, upgradeLines } from "../../support/raw-http.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const host = () => `Host: 127.0.0.1:${bed.port}`;
const bearer = () => `Authorization: Bearer ${bed.token}`;
async function cookie(): Promise<string> {
	const response = await fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ token: bed.token }),
	});
	return `Cookie: ${String(response.headers.get("set-cookie")).split(";")[0]}`;
}

/** Open to everyone; everything else needs a login. A new route that is not in this list must answer 401. */
const OPEN = [
	"GET /healthz",
	"POST /api/login",
	"GET /api/login-methods",
	"POST /api/login/passkey/options",
	"POST /api/login/passkey",
	"GET /",
	"GET /*",
	// Its address is the credential: 256 random bits (SR10).
	"GET /watch/:token",
];

test("[SE1] every route needs a credential, except the login, the health check and the page itself", async () => {
	const routes = listRoutes(bed.channel.http.printRoutes({ commonPrefix: false }));
	expect(routes.length).toBeGreaterThan(30);
	for (const { method, path } of routes) {
		if (OPEN.includes(`${method} ${path}`)) continue;
		const url = path.replace(/:\w+/g, "none").replace("*", "nothing");
		const answer = await rawRequest(bed.port, lines(`${method} ${url} HTTP/1.1`, host(), "Connection: close"));
		expect([method, path, answer.status]).toEqual([method, path, 401]);
		if (method !== "HEAD") expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "unauthorized" } });
	}
	expect(bed.conversations.list().conversations).toEqual([]);
});

describe("without or with a wrong credential", () => {
	test.each(["/ws", "/", "/api/conversations", "/other"])("[SE2] an upgrade of %s is refused with 401 before any 101", async (path) => {
		for (const credential of [[], ["Authorization: Bearer wrong"], ["Authorization: Basic eDp5"], ["Cookie: rightseat_1=x"]]) {
			const request = upgradeLines(bed.port, ...credential).map((line, index) => (index === 0 ? `GET ${path} HTTP/1.1` : line));
			expect((await rawRequest(bed.port, lines(...request))).status).toBe(401);
		}
	});

	test("[SE2] with a credential only /ws can be upgraded", async () => {
		expect((await rawRequest(bed.port, lines(...upgradeLines(bed.port, bearer())))).status).toBe(101);
		const other = upgradeLines(bed.port, bearer()).map((line, index) => (index === 0 ? "GET /api/status HTTP/1.1" : line));
		expect((await rawRequest(bed.port, lines(...other))).status).toBe(404);
	});

	test("[SE19] nothing that needs no login contains a secret", async () => {
		for (const path of ["/", "/healthz", "/c/x", "/api/conversations", "/sw.js", "/manifest.webmanifest"]) {
			const answer = await rawRequest(bed.port, lines(`GET ${path} HTTP/1.1`, host(), "Connection: close"));
			expect(answer.head + answer.body).not.toContain(bed.token);
			expect(answer.head + answer.body).not.toContain(bed.home);
		}
	});
});

describe("names and origins, with a right credential", () => {
	const get = (...headers: string[]) =>
		rawRequest(bed.port, lines("GET /api/conversations HTTP/1.1", "Connection: close", bearer(), ...headers));
	const up = (...headers: string[]) => rawRequest(bed.port, lines(...upgradeLines(bed.port, bearer(), ...headers)));

	test.each([
		["a name that may be rebound", (port: number) => [`Host: evil.example:${port}`]],
		["another address", (port: number) => [`Host: 10.1.2.3:${port}`]],
		["user info", (port: number) => [`Host: x@127.0.0.1:${port}`]],
		["two of them", (port: number) => [`Host: 127.0.0.1:${port}`, "Host: evil.example"]],
		["an empty one", () => ["Host:"]],
	])("[SE11] Host with %s is refused, over HTTP and at the upgrade", async (_, make) => {
		expect([400, 403]).toContain((await get(...make(bed.port))).status);
		expect([400, 403]).toContain((await up(...make(bed.port))).status);
	});

	test("[SE11] no Host at all is refused, over HTTP and at the upgrade", async () => {
		expect([400, 403]).toContain((await rawRequest(bed.port, lines("GET /api/conversations HTTP/1.1", bearer()))).status);
		const request = upgradeLines(bed.port, bearer()).filter((line) => !line.startsWith("Host"));
		expect([400, 403]).toContain((await rawRequest(bed.port, lines(...request))).status);
		expect([400, 403]).toContain((await rawRequest(bed.port, lines("GET /api/conversations HTTP/1.0", bearer()))).status);
	});

	test.each([
		["another site", () => ["Origin: https://evil.example"]],
		["null", () => ["Origin: null"]],
		["a sibling port", () => ["Origin: http://127.0.0.1:5173"]],
		["another scheme", (port: number) => [`Origin: https://127.0.0.1:${port}`]],
		["two in one", (port: number) => [`Origin: http://127.0.0.1:${port}, https://evil.example`]],
		["two headers", (port: number) => [`Origin: http://127.0.0.1:${port}`, "Origin: https://evil.example"]],
		["our name as a prefix", (port: number) => [`Origin: http://127.0.0.1:${port}.evil.example`]],
		["user info", (port: number) => [`Origin: http://x@127.0.0.1:${port}`]],
		["a trailing dot", (port: number) => [`Origin: http://127.0.0.1.:${port}`]],
	])("[SE12] Origin %s is refused, over HTTP and at the upgrade", async (_, make) => {
		expect((await get(host(), ...make(bed.port))).status).toBe(403);
		expect((await up(...make(bed.port))).status).toBe(403);
	});

	test("[SE12] our own Origin is welcome, and none with the access token", async () => {
		expect((await up(`Origin: http://127.0.0.1:${bed.port}`)).status).toBe(101);
		expect((await up()).status).toBe(101);
	});

	test.each(["cross-site", "same-site"])("[SE13] Sec-Fetch-Site %s is refused for the API and the upgrade", async (site) => {
		expect((await get(host(), `Sec-Fetch-Site: ${site}`)).status).toBe(403);
		expect((await up(`Sec-Fetch-Site: ${site}`)).status).toBe(403);
	});

	test.each(["/%61pi/conversations", "/a%70i/conversations", "/api%2Fconversations", "/api/none", "/healthz"])(
		"[SE13] however its path is written, %s answers no other site unless it is the page",
		async (path) => {
			const answer = await rawRequest(
				bed.port,
				lines(`GET ${path} HTTP/1.1`, host(), bearer(), "Sec-Fetch-Site: cross-site", "Connection: close"),
			);
			// The page itself is not built here.
			expect([403, 503]).toContain(answer.status);
			expect(answer.body).not.toContain('"conversations"');
		},
	);

	test("[SE17] a token in the address is refused even if it is right", async () => {
		for (const path of [`/ws?token=${bed.token}`, `/api/conversations?token=${bed.token}`, `/?access_token=${bed.token}`]) {
			const answer = await rawRequest(bed.port, lines(`GET ${path} HTTP/1.1`, host(), "Connection: close"));
			expect(answer.status).toBe(400);
			expect(answer.body).not.toContain(bed.token);
		}
		const upgrade = upgradeLines(bed.port).map((line, index) => (index === 0 ? `GET /ws?token=${bed.token} HTTP/1.1` : line));
		expect((await rawRequest(bed.port, lines(...upgrade))).status).toBe(400);
	});
});

describe("a cookie", () => {
	const post = async (...headers: string[]) =>
		rawRequest(
			bed.port,
			`${lines("POST /api/conversations HTTP/1.1", host(), "Connection: close", "Content-Length: 2", await cookie(), ...headers)}{}`,
		);
	const json = "Content-Type: application/json";

	test("[SE14] changes something only with our Origin or the browser's word that it is our page", async () => {
		expect((await post(json, "Origin: https://evil.example")).status).toBe(403);
		expect((await post(json, "Sec-Fetch-Site: cross-site")).status).toBe(403);
		expect((await post(json, "Origin: null")).status).toBe(403);
		expect((await post(json, "Sec-Fetch-Site: none")).status).toBe(403);
		expect(bed.conversations.list().conversations).toEqual([]);
		expect((await post(json, `Origin: http://127.0.0.1:${bed.port}`)).status).toBe(201);
		expect((await post(json, "Sec-Fetch-Site: same-origin")).status).toBe(201);
		expect((await post(json)).status).toBe(201);
	});

	test("[SE226] opens a socket only with our Origin", async () => {
		const mine = await cookie();
		const upgrade = async (...extra: string[]) => (await rawRequest(bed.port, lines(...upgradeLines(bed.port, mine, ...extra)))).status;
		expect(await upgrade("Origin: https://evil.example")).toBe(403);
		expect(await upgrade("Origin: null")).toBe(403);
		expect(await upgrade("Sec-Fetch-Site: cross-site")).toBe(403);
		expect(await upgrade("Sec-Fetch-Site: none")).toBe(403);
		expect(await upgrade(`Origin: http://127.0.0.1:${bed.port}`)).toBe(101);
		expect(await upgrade()).toBe(403);
	});

	test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; application/json"])(
		"[SE15] a form of type %s changes nothing",
		async (type) => {
			expect((await post(`Content-Type: ${type}`, `Origin: http://127.0.0.1:${bed.port}`)).status).toBe(415);
			expect(bed.conversations.list().conversations).toEqual([]);
		},
	);

	test("[SE227] a method cannot be smuggled in", async () => {
		const id = await bed.begin();
		const mine = await cookie();
		for (const extra of ["X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE"]) {
			await rawRequest(bed.port, lines(`GET /api/conversations/${id}?_method=DELETE HTTP/1.1`, host(), mine, extra, "Connection: close"));
		}
		expect(bed.conversations.find(id)).toBeDefined();
	});
});

test("[SE16] no preflight is ever granted", async () => {
	const answer = await rawRequest(
		bed.port,
		lines(
			"OPTIONS /api/conversations HTTP/1.1",
			host(),
			"Origin: https://evil.example",
			"Access-Control-Request-Method: POST",
			"Connection: close",
		),
	);
	expect(answer.status).toBe(403);
	for (const path of ["/", "/api/conversations", "/healthz"]) {
		const own = await rawRequest(bed.port, lines(`OPTIONS ${path} HTTP/1.1`, host(), bearer(), "Connection: close"));
		expect((own.head + answer.head).toLowerCase()).not.toContain("access-control");
	}
});

test("[SE18] every answer has the strict headers", async () => {
	for (const path of ["/", "/healthz", "/api/conversations", "/api/nothing"]) {
		const { headers } = await bed.api(path);
		expect(headers.get("content-security-policy")).toBe(
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; " +
				"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
				"require-trusted-types-for 'script'; trusted-types default",
		);
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("referrer-policy")).toBe("no-referrer");
		expect(headers.get("x-frame-options")).toBe("DENY");
		expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
		expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
		if (path.startsWith("/api")) expect(headers.get("cache-control")).toBe("no-store");
		expect(headers.get("server")).toBeNull();
		expect(headers.get("x-powered-by")).toBeNull();
	}
});
