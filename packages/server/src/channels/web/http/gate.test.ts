import { describe, expect, test } from "vitest";
import { createGate, type GateRequest } from "./gate.ts";

const gate = createGate({ behindProxy: false, publicOrigins: [] });
const base: GateRequest = {
	method: "GET",
	url: "/api/conversations",
	rawHeaders: ["Host", "127.0.0.1:7417"],
	localAddress: "127.0.0.1",
	encrypted: false,
	upgrade: false,
	page: false,
};
const check = (change: Partial<GateRequest>, ...headers: string[]) =>
	gate.check({ ...base, ...change, rawHeaders: [...(change.rawHeaders ?? base.rawHeaders), ...headers] });
const statusOf = (verdict: ReturnType<typeof check>) => (verdict.ok ? 200 : verdict.status);

describe("Host", () => {
	test.each([
		["127.0.0.1:7417", 200],
		["localhost:7417", 200],
		["LOCALHOST:7417", 200],
		["rightseat.localhost:7417", 200],
		["[::1]:7417", 200],
		["localhost:9000", 200],
		["evil.example:7417", 403],
		["127.evil.example", 403],
		["localhost.", 403],
		["localhost.evil.example", 403],
		["user@127.0.0.1:7417", 403],
		["127.0.0.1:7417@evil.example", 403],
		["127.0.0.1:7417, evil.example", 403],
		["10.0.0.5:7417", 403],
		["", 403],
	])("[SE11] a request for Host %j gets %i", (host, status) => {
		expect(statusOf(gate.check({ ...base, rawHeaders: ["Host", host] }))).toBe(status);
	});

	test("[SE11] no Host and two Hosts are refused", () => {
		expect(statusOf(gate.check({ ...base, rawHeaders: [] }))).toBe(403);
		expect(statusOf(check({}, "Host", "127.0.0.1:7417"))).toBe(403);
	});

	test("[SE11] the literal address the connection arrived on is ours, another one is not", () => {
		const lan = { localAddress: "::ffff:192.168.1.5" };
		expect(statusOf(gate.check({ ...base, ...lan, rawHeaders: ["Host", "192.168.1.5:7417"] }))).toBe(200);
		expect(statusOf(gate.check({ ...base, ...lan, rawHeaders: ["Host", "192.168.1.6:7417"] }))).toBe(403);
	});
});

describe("Origin", () => {
	test.each([
		["http://127.0.0.1:7417", 200],
		["http://127.0.0.1:7418", 403],
		["http://127.0.0.1", 403],
		["https://127.0.0.1:7417", 403],
		["http://localhost:7417", 403],
		["http://127.0.0.1:7417.evil.example", 403],
		["http://127.0.0.1:7417, https://evil.example", 403],
		["http://user@127.0.0.1:7417", 403],
		["http://127.0.0.1.:7417", 403],
		["HTTP://127.0.0.1:7417", 403],
		["https://evil.example", 403],
		["null", 403],
		["", 403],
	])("[SE12] Origin %j gets %i", (origin, status) => {
		expect(statusOf(check({ upgrade: true, url: "/ws" }, "Origin", origin))).toBe(status);
	});

	test("[SE12] two Origin headers are refused even if both are right", () => {
		expect(statusOf(check({}, "Origin", "http://127.0.0.1:7417", "Origin", "http://127.0.0.1:7417"))).toBe(403);
	});

	test("[SE12] a page under a forwarded port is its own origin, a page on a sibling port is not", () => {
		const forwarded = { rawHeaders: ["Host", "localhost:9000"] };
		expect(statusOf(check(forwarded, "Origin", "http://localhost:9000"))).toBe(200);
		expect(statusOf(check({ rawHeaders: ["Host", "localhost:7417"] }, "Origin", "http://localhost:5173"))).toBe(403);
		// Behind a forwarded port, the port we listen on may be another program's on the person's own machine.
		expect(statusOf(check({ rawHeaders: ["Host", "127.0.0.1:8000"] }, "Origin", "http://127.0.0.1:7417"))).toBe(403);
	});
});

test.each([
	["GET", "the API", "cross-site", 403],
	["GET", "the API", "same-site", 403],
	["POST", "the API", "cross-site", 403],
	["POST", "the page", "same-site", 403],
	["GET", "the page", "cross-site", 200],
	["GET", "the API", "none", 200],
	["POST", "the API", "same-origin", 200],
])("[SE13] %s of %s with Sec-Fetch-Site %s gets %i", (method, what, site, status) => {
	expect(statusOf(check({ method, page: what === "the page" }, "Sec-Fetch-Site", site))).toBe(status);
});

test.each(["/?token=x", "/api/conversations?access_token=x", "/ws?token=", "/?a=1&code=x", "/?%74oken=x"])(
	"[SE17] a credential in the address is refused: %s",
	(url) => {
		expect(statusOf(check({ url }))).toBe(400);
	},
);

test("[SE14] the gate tells what is proven to come from our page", () => {
	expect(check({ method: "POST" })).toMatchObject({ ok: true, fromPage: true, mutating: true });
	expect(check({ method: "POST" }, "Origin", "http://127.0.0.1:7417")).toMatchObject({ fromPage: true });
	expect(check({ method: "POST" }, "Sec-Fetch-Site", "same-origin")).toMatchObject({ fromPage: true });
	expect(check({ method: "POST" }, "Sec-Fetch-Site", "none")).toMatchObject({ fromPage: false });
	expect(check({ url: "/ws", upgrade: true })).toMatchObject({ mutating: true, fromPage: false });
	expect(check({ url: "/ws", upgrade: true }, "Sec-Fetch-Site", "none")).toMatchObject({ mutating: true, fromPage: false });
});

test("[SE20] forwarded headers count only behind a declared proxy", () => {
	const headers = ["X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil.example"];
	expect(check({}, ...headers)).toMatchObject({ ok: true, secure: false });
	const proxied = createGate({ behindProxy: true, publicOrigins: ["https://pilot.example.org"] });
	const rawHeaders = ["Host", "pilot.example.org", ...headers];
	expect(proxied.check({ ...base, rawHeaders })).toMatchObject({ ok: true, secure: true });
	expect(proxied.check({ ...base, rawHeaders: [...rawHeaders, "Origin", "https://pilot.example.org"] })).toMatchObject({ fromPage: true });
	expect(proxied.check({ ...base, rawHeaders: [...rawHeaders, "Origin", "http://pilot.example.org"] }).ok).toBe(false);
	expect(proxied.check({ ...base, rawHeaders: ["Host", "evil.example", ...headers] }).ok).toBe(false);
});

test("[SE152] a page that is shown under the public https address is secure, whatever Host the proxy sends", () => {
	const gate = createGate({ behindProxy: true, publicOrigins: ["https://pilot.example.org"] });
	const asked = (origin: string) => gate.check({ ...base, method: "POST", rawHeaders: ["Host", "127.0.0.1:7417", "Origin", origin] });
	expect(asked("https://pilot.example.org")).toMatchObject({ ok: true, secure: true, origin: "https://pilot.example.org", fromPage: true });
	expect(asked("http://127.0.0.1:7417")).toMatchObject({ ok: true, secure: false, origin: "http://127.0.0.1:7417" });
	for (const origin of [
		"https://evil.example",
		"http://pilot.example.org",
		"https://127.0.0.1:7417",
		"https://pilot.example.org.evil.example",
	]) {
		expect(asked(origin).ok).toBe(false);
	}
});

test("[SE225] a request target that is not a path is refused", () => {
	expect(statusOf(check({ url: "http://evil.example/" }))).toBe(400);
});
