import type { CopilotClient, SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createTryServer, TRY_LIMIT_MS } from "./try-server.ts";

interface Status {
	status: string;
	error?: string;
}

/** A runtime that says how the server is when it is asked: what it says at each look in turn, and whether an event tells of it as well. */
function createBed(looks: Status[], { tells = false, hangs = false, refuses = false } = {}) {
	const clock = createFakeClock();
	const calls: string[] = [];
	let listener: (event: SessionEvent) => void = () => undefined;
	const session = {
		on: (given: typeof listener) => {
			listener = given;
		},
		rpc: {
			mcp: {
				list() {
					calls.push("list");
					if (hangs) return new Promise(() => undefined);
					const now = looks.length > 1 ? looks.shift() : looks[0];
					if (tells && now !== undefined) tell(now);
					return Promise.resolve({ servers: tells ? [] : [{ name: "server", ...now }] });
				},
				async listTools() {
					calls.push("tools");
					if (refuses) throw new Error("It requires authentication.");
					return { tools: [{ name: "echo" }] };
				},
			},
		},
		disconnect: async () => calls.push("disconnect"),
	};
	const client = { createSession: async () => session, deleteSession: async () => calls.push("delete") };
	const lease = async () => ({ client: client as unknown as CopilotClient, gone: new AbortController().signal });
	const trying = createTryServer({ clock, lease })({ type: "stdio", command: "x", args: [], env: {} }, "/");
	const tell = (data: Status) =>
		listener({ type: "session.mcp_server_status_changed", data: { serverName: "server", ...data } } as SessionEvent);
	return { clock, calls, trying, tell };
}

test("[MS34] a server is as the runtime says when it is asked, also where no event told of it, and one that starts is waited for", async () => {
	expect(await createBed([{ status: "connected" }]).trying).toEqual({ state: "connected", tools: ["echo"] });
	expect(await createBed([{ status: "connected" }], { tells: true }).trying).toEqual({ state: "connected", tools: ["echo"] });
	expect(await createBed([{ status: "needs-auth" }]).trying).toEqual({ state: "needs-auth", tools: [] });
	const late = createBed([{ status: "pending" }, { status: "failed", error: "No key." }]);
	expect(await late.trying).toEqual({ state: "failed", tools: [], error: "No key." });
	expect(late.calls).toEqual(["list", "tools", "list", "disconnect", "delete"]);
});

test("[MS35] a server that wants a login is waited for while the runtime looks up where to sign in", async () => {
	const { clock, trying, tell } = createBed([{ status: "pending" }, { status: "pending" }, { status: "needs-auth" }], { refuses: true });
	await clock.advance(TRY_LIMIT_MS - 1);
	tell({ status: "needs-auth" });
	expect(await trying).toEqual({ state: "needs-auth", tools: [] });
});

test("[MS34] that a server did not answer within a time is said when that time is over", async () => {
	const { clock, calls, trying } = createBed([], { hangs: true });
	let told: unknown;
	void trying.then((answer) => {
		told = answer;
	});
	await clock.advance(TRY_LIMIT_MS - 1);
	expect(told).toBeUndefined();
	await clock.advance(1);
	expect(await trying).toEqual({ state: "failed", tools: [], error: "It did not answer within 30 s." });
	expect(calls).toEqual(["list", "disconnect", "delete"]);
});
