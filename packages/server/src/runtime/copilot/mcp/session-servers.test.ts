import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { SessionServer } from "../../../core/ports/agent-setup.ts";
import type { ServersRpc } from "./sdk-servers.ts";
import { createSessionServers } from "./session-servers.ts";
import { SERVERS_WAIT_MS } from "./start-servers.ts";
import { MAX_SERVER_TOOLS } from "./tool-lists.ts";

const server = (name: string): SessionServer => ({
	name,
	enabled: true,
	server: { type: "stdio", command: name, args: [], env: {} },
});

function createBed(names: string[]) {
	const clock = createFakeClock();
	const bed = {
		clock,
		wanted: names.map(server),
		notices: [] as string[],
		calls: [] as string[],
		tools: new Map<string, number>(),
		/** Answers `list` and everything else that waits for it. */
		loaded: (): void => undefined,
		trial: { state: "failed" as "failed" | "connected", error: "It is broken." },
	};
	const answered = (what: string) => async () => void bed.calls.push(what);
	const rpc = {
		list: () =>
			new Promise<unknown>((resolve) => {
				bed.loaded = () => resolve({ servers: [] });
			}),
		listTools: async ({ serverName }: { serverName: string }) => ({
			tools: Array.from({ length: bed.tools.get(serverName) ?? 1 }, (_, n) => ({ name: `t${n}` })),
		}),
		enable: ({ serverName }: { serverName: string }) => answered(`enable ${serverName}`)(),
		disable: ({ serverName }: { serverName: string }) => answered(`disable ${serverName}`)(),
		restartServer: ({ serverName }: { serverName: string }) => answered(`restart ${serverName}`)(),
		moveLoadingToBackground: answered("background"),
	};
	const servers = createSessionServers({
		...{ clock, logger: silentLogger, cwd: "/" },
		wanted: async () => bed.wanted,
		notice: ({ code, params }) => void bed.notices.push(`${code} ${params?.servers}`),
		tryServer: async () => ({ ...bed.trial, tools: [] }),
	});
	const emit = (type: string, data: object) => servers.handle({ type, data } as SessionEvent);
	const status = (serverName: string, to: string) => emit("session.mcp_server_status_changed", { serverName, status: to });
	const host = () => ({ sdk: { rpc: { mcp: rpc as unknown as ServersRpc } }, gone: new AbortController().signal });
	return { ...bed, bed, servers, rpc, emit, status, host };
}

test("[MS22] a server that is late is left out, gets one more chance when it answers on its own, and then waits for a person", async () => {
	const { bed, servers, status, clock, host, notices } = createBed(["good", "slow"]);
	for (const round of [1, 2]) {
		expect(Object.keys((await servers.config()).mcpServers)).toEqual(["good", "slow"]);
		bed.trial = { state: "connected", error: "" };
		const prepared = servers.prepare(host());
		await clock.advance(0);
		status("good", "pending");
		status("slow", "pending");
		status("good", "connected");
		await clock.advance(SERVERS_WAIT_MS);
		expect(await prepared, `round ${round}`).toBe(false);
	}
	expect(Object.keys((await servers.config()).mcpServers)).toEqual(["good"]);
	expect(notices.filter((each) => each.startsWith("mcp-left-out"))).toEqual(["mcp-left-out slow", "mcp-left-out slow"]);
	expect(servers.view().get("slow")).toMatchObject({ state: "failed", error: expect.stringContaining("did not answer") });
	await servers.setServer("slow", true, undefined);
	expect(await servers.prepare(host())).toBe(false);
	expect(Object.keys((await servers.config()).mcpServers)).toEqual(["good", "slow"]);
});

test("[MS35] a server that wants a login is waited for while the runtime looks up where to sign in, whenever an event of it comes, and left out when that takes too long", async () => {
	// What was heard when the list says that it is starting: the first or the second word, all of them, or too few.
	const words = ["pending", "needs-auth", "pending", "needs-auth"];
	for (const heard of [1, 2, 3, 4]) {
		for (const end of ["needs-auth", "connected", undefined]) {
			const { servers, status, clock, host, rpc } = createBed(["far"]);
			let now = "pending";
			rpc.list = async () => ({ servers: [{ name: "far", status: now }] });
			rpc.listTools = async () => Promise.reject(new Error("It requires authentication."));
			await servers.config();
			let ready: boolean | undefined;
			void servers.prepare(host()).then((is) => {
				ready = is;
			});
			for (const word of words.slice(0, heard)) status("far", word);
			await clock.advance(SERVERS_WAIT_MS - 1);
			expect(ready, `${heard} words`).toBe(undefined);
			now = end ?? now;
			if (end === undefined) await clock.advance(1);
			else status("far", end);
			await clock.advance(0);
			// Whoever was heard to want a login is not late.
			const wantsLogin = heard % 2 === 0;
			expect(ready, `${heard} words, then ${end}`).toBe(end !== undefined || wantsLogin);
			if (ready) expect(servers.view().get("far")?.state).toBe(end ?? "needs-auth");
		}
	}
});

test("[MS23] what is wanted is compared before every prompt; a switch that the runtime takes needs no new session", async () => {
	const { bed, servers, status, clock, host, calls } = createBed(["a", "b"]);
	await servers.config();
	const open = host();
	const prepared = servers.prepare(open);
	await clock.advance(0);
	for (const name of ["a", "b"]) status(name, "connected");
	bed.loaded();
	expect(await prepared).toBe(true);
	expect(servers.view().get("a")).toEqual({ state: "connected", tools: ["t0"] });
	await servers.setServer("b", false, open);
	bed.wanted = [server("a"), { ...server("b"), enabled: false }];
	expect([calls, await servers.prepare(open)]).toEqual([["disable b"], true]);
	bed.wanted = [server("a")];
	expect(await servers.prepare(open)).toBe(false);
});

test("[MS24] a server that ends while it is used is started again with the next prompt, three times at most", async () => {
	const { servers, status, emit, clock, host, calls, bed } = createBed(["a"]);
	await servers.config();
	const open = host();
	const prepared = servers.prepare(open);
	await clock.advance(0);
	status("a", "connected");
	bed.loaded();
	await prepared;
	for (let n = 0; n < 5; n += 1) {
		emit("tool.execution_start", { toolCallId: `t${n}`, mcpServerName: "a" });
		emit("tool.execution_complete", { toolCallId: `t${n}`, error: { message: "MCP transport closed before the tool responded" } });
		expect(servers.view().get("a")).toMatchObject({ state: "failed" });
		expect(await servers.prepare(open)).toBe(true);
		if (n < 3) status("a", "connected");
	}
	expect(calls).toEqual(["restart a", "restart a", "restart a"]);
	expect(servers.view().get("a")?.error).toContain("again and again");
});

test("[MS25] more tools than a model can be given leave a server out, and what is told of one is bounded", async () => {
	const { servers, status, clock, host, bed } = createBed(["a", "flood"]);
	bed.tools.set("flood", MAX_SERVER_TOOLS + 1);
	await servers.config();
	const prepared = servers.prepare(host());
	await clock.advance(0);
	for (const name of ["a", "flood"]) status(name, "connected");
	bed.loaded();
	expect(await prepared).toBe(false);
	expect(Object.keys((await servers.config()).mcpServers)).toEqual(["a"]);
	expect(servers.view().get("flood")?.error).toContain(`${MAX_SERVER_TOOLS + 1} tools`);
});

test("[MS26] neither the prompt nor a stop waits for servers that the runtime tries again by itself", async () => {
	const { servers, status, clock, host, calls, bed, notices } = createBed(["a"]);
	await servers.config();
	const sent: string[] = [];
	const open = host();
	const sdk = { ...open.sdk, send: async () => "m1", abort: async () => void sent.push("abort") };
	const prepared = servers.prepare({ ...open, sdk });
	await clock.advance(0);
	status("a", "failed");
	bed.loaded();
	await prepared;
	const guarded = servers.guard({ sdk, gone: open.gone }, new Promise(() => undefined));
	await guarded.sdk.send({ prompt: "x" });
	status("a", "pending");
	await clock.advance(SERVERS_WAIT_MS);
	expect([calls, notices]).toEqual([["background"], ["mcp-left-out a"]]);
	await guarded.sdk.abort();
	expect([calls, sent]).toEqual([["background", "background"], ["abort"]]);
});
