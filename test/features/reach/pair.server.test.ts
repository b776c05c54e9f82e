import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { checkPairing } from "../../../packages/server/src/app/doctor/pairing.ts";
import { writeServerFile } from "../../../packages/server/src/app/home/server-file.ts";
import { createLanCertificates } from "../../../packages/server/src/app/reach/lan-certificates.ts";
import { createReachStore } from "../../../packages/server/src/app/reach/reach-file.ts";
import { freePort } from "../../support/free-port.ts";
import { type StandInTailscale, startTailscale } from "../../support/stand-in-tailscale/stand-in-tailscale.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { ask, listenElsewhere, logIn, type PairRun, runPairIn } from "./phone-harness.ts";

const names = () => ({ addresses: ["127.0.0.1"], name: "box.local" });
let bed: WebBed;
let tailscale: StandInTailscale;
beforeAll(async () => {
	tailscale = await startTailscale();
	bed = await createWebBed({ lanCertificates: (home) => createLanCertificates(home, { names }) });
	writeServerFile(bed.home, { url: bed.url, version: "0.0.0-test" });
});
afterAll(async () => {
	await bed.close();
	await tailscale.close();
});
afterEach(async () => {
	await bed.api("/api/reach", { method: "DELETE" });
	tailscale.set({ serve: {}, mode: "" });
});

const pair = (args: string[], parts: PairRun = {}) => runPairIn(bed, tailscale, args, { names, ...parts });
const reach = async () => await (await bed.api("/api/reach")).json();
const tailnet = () => ["--tailscale", "--port", String(tailscale.port)];

test("[RC1] without a yes every way is named and nothing is opened", async () => {
	const shown = await pair([]);
	expect(shown.exit).toBe(2);
	expect(shown.out).toMatch(/Configured +none/);
	expect(shown.out).toMatch(/2 {2}Tailscale +https:\/\/box\.tail1234\.ts\.net, for the devices of your tailnet only/);
	expect(shown.out).toMatch(/3 {2}Local network +https:\/\/127\.0\.0\.1:7418/);
	expect(shown.err).toMatch(/nothing is opened without a yes/);
	const asked: string[] = [];
	const person = (answer: string) => async (question: string) => {
		asked.push(question);
		return answer;
	};
	expect(await pair(["--tailscale"], { person: person("n") })).toMatchObject({ exit: 1, err: "" });
	expect(asked).toEqual([expect.stringMatching(/Have Tailscale Serve answer at https:\/\/box\.tail1234\.ts\.net .*\[y\/N\]/)]);
	expect([await reach(), tailscale.serve()]).toEqual([{}, {}]);
	expect(tailscale.calls().filter((call) => call.startsWith("serve --"))).toEqual([]);
});

test("[RC2] [RC3] Tailscale Serve leads to the running server, which takes the address at once, and the link logs in once", async () => {
	const before = await ask(`${tailscale.url}/healthz`, { ca: tailscale.ca });
	expect(before.status).toBe(404);
	const paired = await pair([...tailnet(), "--yes"]);
	expect(paired).toMatchObject({ exit: 0, err: "" });
	expect(paired.out).toMatch(/done {2}Tailscale Serve leads from .*\n.*leads to this server, WebSockets pass\n.*kept/);
	expect(paired.out).toMatch(/[█▀▄]{7}/);
	expect(paired.link).toMatch(new RegExp(`^${tailscale.url}/#code=[\\w-]{24}&paired$`));
	expect(await reach()).toEqual({ reach: { way: "tailscale", url: tailscale.url, port: tailscale.port, target: bed.url } });
	expect(tailscale.serve().Web?.[`box.tail1234.ts.net:${tailscale.port}`]).toEqual({ Handlers: { "/": { Proxy: bed.url } } });
	const first = await logIn(paired.link, tailscale.ca);
	expect(first.status).toBe(204);
	expect(String(first.headers["set-cookie"])).toMatch(/^__Host-rightseat_\d+=.*; Secure/);
	expect((await logIn(paired.link, tailscale.ca)).status).toBe(401);
	// Repeated, it finds what is there.
	expect(await pair([...tailnet(), "--yes"])).toMatchObject({ exit: 0 });
	expect(statSync(join(bed.home, "reach.json")).mode & 0o777).toBe(0o600);
	// What the next start reads.
	expect(createReachStore(bed.home).current()).toEqual((await reach()).reach);
});

test("[RC10] [RC11] under a paired name no other port is forced to TLS, and limits count the phone, not the proxy", async () => {
	await pair([...tailnet(), "--yes"]);
	const page = await ask(`${tailscale.url}/healthz`, { ca: tailscale.ca });
	expect([page.status, page.headers["strict-transport-security"]]).toEqual([200, undefined]);
	await logIn(`${tailscale.url}/#code=wrong`, tailscale.ca);
	await bed.api("/api/audit", { headers: { "x-forwarded-for": "203.0.113.9" } });
	await fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
		body: JSON.stringify({ code: "wrong" }),
	});
	const { entries } = await (await bed.api("/api/audit?limit=2")).json();
	expect(entries.map(({ kind, source }: { kind: string; source: string }) => [kind, source])).toEqual([
		["login-failed", "127.0.0.1"],
		["login-failed", "100.64.0.7"],
	]);
});

test("[RC4] Tailscale that is not there, not logged in, not connected or without HTTPS: one line, exit 1, nothing changed", async () => {
	const refused = async () => {
		const { exit, err } = await pair([...tailnet(), "--yes"]);
		expect(exit).toBe(1);
		return err;
	};
	tailscale.set({ status: { BackendState: "NeedsLogin", CertDomains: null } });
	expect(await refused()).toBe("rightseat pair: Tailscale: not logged in: run tailscale up\n");
	tailscale.set({ status: { BackendState: "Stopped" } });
	expect(await refused()).toMatch(/^rightseat pair: Tailscale: not connected \(Stopped\).*\n$/);
	tailscale.set({ status: { BackendState: "Running", CertDomains: null } });
	expect(await refused()).toMatch(/^rightseat pair: Tailscale: without HTTPS.*\n$/);
	const missing = await pair(["--tailscale", "--yes"], { env: { PATH: bed.home } });
	expect(missing).toMatchObject({ exit: 1, err: expect.stringMatching(/not here: install it/) });
	expect(await pair(["--yes"], { env: { PATH: bed.home } })).toMatchObject({ exit: 1, err: expect.stringMatching(/no way is ready/) });
	expect(await reach()).toEqual({});
});

test("[RC5] Serve that is not permitted, or not switched on though the program ends well: one line with what to do, nothing changed", async () => {
	tailscale.set({ mode: "denied" });
	const denied = await pair([...tailnet(), "--yes"]);
	expect(denied).toMatchObject({
		exit: 1,
		err: expect.stringMatching(/^.*sudo tailscale set --operator=\$USER.* Nothing was changed\.\n$/),
	});
	tailscale.set({ mode: "not-enabled" });
	const off = await pair([...tailnet(), "--yes"]);
	expect(off).toMatchObject({ exit: 1, err: expect.stringMatching(/https:\/\/login\.tailscale\.com\/f\/serve\?node=nABC123CNTRL/) });
	expect([await reach(), tailscale.serve()]).toEqual([{}, {}]);
});

test("[RC6] a port of Serve that leads elsewhere is never taken, and --off leaves what is not ours", async () => {
	const others = {
		TCP: { "443": { HTTPS: true } },
		Web: { "box.tail1234.ts.net:443": { Handlers: { "/": { Proxy: "http://127.0.0.1:3000" } } } },
	};
	tailscale.set({ serve: others });
	expect((await pair([])).out).toMatch(/https:\/\/box\.tail1234\.ts\.net:8443,/);
	expect(await pair(["--tailscale", "--port", "443", "--yes"])).toMatchObject({
		exit: 1,
		err: expect.stringMatching(/443 .*leads elsewhere/),
	});
	await pair([...tailnet(), "--yes"]);
	expect(await pair(["--off"])).toMatchObject({ exit: 0, out: expect.stringMatching(/no longer leads here/) });
	expect([await reach(), tailscale.serve()]).toEqual([{}, others]);
	expect(existsSync(join(bed.home, "reach.json"))).toBe(false);
	expect(await pair(["--off"])).toMatchObject({ exit: 0, out: expect.stringMatching(/nothing to take back/) });
	expect((await ask(`${tailscale.url}/healthz`, { ca: tailscale.ca })).status).toBe(404);
});

test("[RC7] an address that does not lead to this very server changes nothing, and what was set up for it is taken back", async () => {
	const refused = async (args: string[], parts: PairRun = {}) => {
		const { exit, err } = await pair([...args, "--yes"], parts);
		expect([exit, await reach()]).toEqual([1, {}]);
		expect(err).toMatch(/^rightseat pair: .* Nothing was changed\.\n$/);
		return err;
	};
	expect(await refused(["--url", `https://127.0.0.1:${await freePort()}`])).toMatch(/does not answer from here \(ECONNREFUSED\)/);
	expect(await refused(["--url", `https://127.0.0.1:${tailscale.port}`])).toMatch(/leads to something else .*404/);
	const other = await listenElsewhere();
	const Web = { [`127.0.0.1:${tailscale.port}`]: { Handlers: { "/": { Proxy: `http://127.0.0.1:${other.port}` } } } };
	tailscale.set({ serve: { Web } });
	expect(await refused(["--url", `https://127.0.0.1:${tailscale.port}`])).toMatch(/leads to something else .*200/);
	await other.close();
	tailscale.set({ serve: {} });
	expect(await refused(tailnet(), { ca: "" })).toMatch(/no certificate that is trusted here/);
	tailscale.set({ mode: "no-websocket" });
	expect(await refused(tailnet())).toMatch(/does not pass WebSockets on/);
	expect(tailscale.serve()).toEqual({});
});

test("[RC7] [RC13] what leads here stays when another address does not; a new way that does takes its place", async () => {
	await pair([...tailnet(), "--yes"]);
	const elsewhere = await listenElsewhere();
	expect(await pair(["--url", `https://127.0.0.1:${elsewhere.port}`, "--yes"])).toMatchObject({ exit: 1 });
	await elsewhere.close();
	expect(await reach()).toMatchObject({ reach: { way: "tailscale" } });
	const port = await freePort();
	const answers = ["3", "yes"];
	expect(await pair(["--port", String(port)], { person: async () => answers.shift() ?? "" })).toMatchObject({ exit: 0, err: "" });
	expect(await reach()).toMatchObject({ reach: { way: "lan" } });
	expect(tailscale.serve()).toEqual({});
});

test("[RC12] an address that was given and leads here is taken at once, kept and taken back", async () => {
	const url = `https://127.0.0.1:${tailscale.port}`;
	tailscale.set({ serve: { Web: { [`127.0.0.1:${tailscale.port}`]: { Handlers: { "/": { Proxy: bed.url } } } } } });
	const paired = await pair(["--url", url, "--yes"]);
	expect(paired).toMatchObject({ exit: 0, err: "", link: expect.stringMatching(new RegExp(`^${url}/#code=[\\w-]{24}&paired$`)) });
	expect([await reach(), createReachStore(bed.home).current()]).toEqual([{ reach: { way: "url", url } }, { way: "url", url }]);
	expect((await logIn(paired.link, tailscale.ca)).status).toBe(204);
	expect([await pair(["--off"]), await reach()]).toMatchObject([{ exit: 0 }, {}]);
	expect((await logIn(`${url}/#code=wrong`, tailscale.ca)).status).toBe(403);
});

test("[RC9] only the access token opens and closes it, and both are written down", async () => {
	await pair([...tailnet(), "--yes"]);
	await pair(["--off"]);
	const { entries } = await (await bed.api("/api/audit?limit=20")).json();
	const opened = entries.filter(({ kind }: { kind: string }) => kind === "reach").map(({ detail }: { detail: string }) => detail);
	expect(opened.slice(0, 2)).toEqual([`closed: tailscale ${tailscale.url}`, `opened: tailscale ${tailscale.url}`]);
	const login = await bed.api("/api/login-code", { method: "POST", body: {} });
	const code = new URLSearchParams(new URL((await login.json()).url).hash.slice(1)).get("code");
	const entered = await fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ code }),
	});
	const cookie = String(entered.headers.get("set-cookie")).split(";", 1)[0] ?? "";
	for (const [method, path] of [
		["PUT", "/api/reach"],
		["DELETE", "/api/reach"],
		["POST", "/api/reach/trial"],
	] as const) {
		const refused = await fetch(`${bed.url}${path}`, { method, headers: { cookie, origin: bed.url } });
		expect([refused.status, (await refused.json()).error.params]).toEqual([403, { reason: "token-only" }]);
	}
});

test("[RC16] Ctrl-C in the middle ends it, and what was begun is taken back", async () => {
	tailscale.set({ mode: "deaf" });
	const interrupted = new AbortController();
	void tailscale.unanswered().then(() => interrupted.abort());
	expect(await pair([...tailnet(), "--yes"], { signal: interrupted.signal })).toMatchObject({ exit: 130 });
	expect([await reach(), tailscale.serve()]).toEqual([{}, {}]);
});

test("[RC14] [RC15] wrong flags and no server are one line, exit 2", async () => {
	for (const args of [
		["--lan", "--off"],
		["--port", "0"],
		["--url", "http://a.example"],
		["--url", "https://a.example/x"],
		["--colour"],
		["here"],
		["--url"],
	]) {
		const { exit, err } = await pair(args);
		expect([exit, err.trim().split("\n").length], args.join(" ")).toEqual([2, 1]);
	}
	expect(await pair(["--yes", "--home", join(bed.home, "none")])).toMatchObject({
		exit: 2,
		err: expect.stringMatching(/^rightseat pair: no Rightseat runs with .+ --home\.\n$/),
	});
	expect(await pair(["--help"])).toMatchObject({ exit: 0, out: expect.stringMatching(/--tailscale/) });
	const chinese = await pair(["--port", "0"], { env: { LANG: "zh_TW.UTF-8" } });
	expect(chinese.err).toMatch(/必須是 1 到 65535/);
});

test("[RC20] [RC23] the local network gets HTTPS that a phone with our authority trusts, and beside it only the page that says how", async () => {
	const port = await freePort();
	const paired = await pair(["--lan", "--port", String(port), "--yes"]);
	expect(paired).toMatchObject({ exit: 0, err: "" });
	const { reach: kept } = await reach();
	expect(kept).toEqual({
		...{ way: "lan", url: `https://127.0.0.1:${port}`, port, also: [`https://box.local:${port}`] },
		fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
	});
	const ca = readFileSync(join(bed.home, "lan", "ca.pem"), "utf8");
	for (const url of [`https://127.0.0.1:${port}`, `https://box.local:${port}`]) {
		const health = await ask(`${url}/healthz`, { ca });
		expect([health.status, health.headers["strict-transport-security"]]).toEqual([200, undefined]);
	}
	expect((await logIn(paired.link, ca)).status).toBe(204);
	expect((await logIn(paired.link, ca)).status).toBe(401);
	await expect(ask(`https://127.0.0.1:${port}/healthz`, { ca: tailscale.ca })).rejects.toThrow();

	const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { "accept-language": "zh-TW" } });
	const text = await page.text();
	expect(text).toContain(kept.fingerprint);
	expect(text).toContain(`href="https://127.0.0.1:${port}/"`);
	expect(text).toContain("信任這個 Rightseat");
	expect(paired.out).toContain(kept.fingerprint);
	const file = await fetch(`http://127.0.0.1:${port}/rightseat-ca.crt`);
	expect(file.headers.get("content-type")).toBe("application/x-x509-ca-cert");
	expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(ca.replace(/-----.*-----|\n/g, ""));
	for (const path of ["/api/status", "/healthz", "/ws"]) {
		expect((await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" })).status).toBe(302);
	}

	expect(await pair(["--off"])).toMatchObject({ exit: 0, out: expect.stringMatching(/Remove its certificate/) });
	await expect(ask(`https://127.0.0.1:${port}/healthz`, { ca })).rejects.toThrow(/ECONNREFUSED/);
	expect(existsSync(join(bed.home, "lan"))).toBe(false);
});

test("[RC25] a port that somebody else uses is one line, exit 1, and leaves what was open", async () => {
	const first = await freePort();
	await pair(["--lan", "--port", String(first), "--yes"]);
	const taken = await listenElsewhere();
	const refused = await pair(["--lan", "--port", String(taken.port), "--yes"]);
	expect([refused.exit, refused.err]).toEqual([1, expect.stringMatching(/^rightseat pair: Port \d+ cannot be used.*\n$/)]);
	await taken.close();
	expect(await reach()).toMatchObject({ reach: { port: first } });
	expect((await ask(`https://127.0.0.1:${first}/healthz`, { ca: readFileSync(join(bed.home, "lan", "ca.pem"), "utf8") })).status).toBe(200);
});

test("[RC30] doctor repeats the checks: what leads here is well, and what no longer does is said", async () => {
	const env = { ...tailscale.env, RIGHTSEAT_HOME: bed.home };
	const look = () => checkPairing(bed.home, env, tailscale.ca);
	expect(await look()).toMatchObject({ level: "ok", detail: expect.stringMatching(/no way was paired/) });
	await pair([...tailnet(), "--yes"]);
	expect(await look()).toMatchObject({ level: "ok", detail: `${tailscale.url} leads to this server, WebSockets pass` });
	tailscale.set({ serve: {} });
	expect(await look()).toMatchObject({ level: "warning", detail: expect.stringMatching(/no longer leads to this server/) });
	tailscale.set({ status: { BackendState: "NeedsLogin" } });
	expect(await look()).toMatchObject({ level: "warning", detail: expect.stringMatching(/not logged in: run tailscale up/) });
	tailscale.set({});
	await pair(["--lan", "--port", String(await freePort()), "--yes"]);
	expect(await look()).toMatchObject({ level: "ok", detail: expect.stringMatching(/everybody in the local network can reach port \d+/) });
});
