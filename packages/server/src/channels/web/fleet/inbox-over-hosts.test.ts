import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { CoreBed } from "../../../../../../test/support/core.ts";
import { createFleetBed, type FleetBed } from "../../../../../../test/support/fleet-bed.ts";
import type { EveryInbox } from "../../../core/inbox/inbox.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { problemOf } from "../http/http-errors.ts";
import { registerInboxRoutes } from "../http/routes/inbox.ts";
import { serveFleet } from "./serve-fleet.ts";

let bed: FleetBed;
afterEach(() => bed.close());

function createRoutes(inbox: EveryInbox): FastifyInstance {
	const app = fastify();
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, { logger: silentLogger, redact: (text) => text });
		return reply.code(status).send(body);
	});
	registerInboxRoutes(app, { inbox });
	return app;
}

async function createBed() {
	bed = await createFleetBed(3, {
		outside: (core: CoreBed, caller) => ({ http: serveFleet(createRoutes(core.conversations.inbox), caller) }),
	});
	const [desk, laptop, phone] = bed.hosts;
	if (desk === undefined || laptop === undefined || phone === undefined) throw new Error("There are not three hosts.");
	const app = createRoutes(desk.everywhere.conversations.inbox);
	async function call(method: "GET" | "POST" | "DELETE", url: string, payload?: object) {
		let isOver = false;
		const answered = app.inject({ method, url, ...(payload === undefined ? {} : { payload }) }).finally(() => (isOver = true));
		for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
		const { statusCode, body } = await answered;
		return { status: statusCode, body: body === "" ? undefined : JSON.parse(body) };
	}
	const kinds = (host: (typeof bed.hosts)[number]) => host.everywhere.conversations.inbox.list().map(({ kind }) => kind);
	/** A turn on a host: what it ends with, or what it asks. */
	async function turnOn({ core }: { core: CoreBed }, id?: ConversationId) {
		const conversationId = id ?? (await core.begin());
		core.conversations.prompt({ conversationId, prompt: "Hello", origin: "web" });
		const turn = await core.runtime.nextTurn();
		return { conversationId, turn };
	}
	async function finish(host: { core: CoreBed }, id?: ConversationId) {
		const { conversationId, turn } = await turnOn(host, id);
		turn.text("Hi.");
		turn.end("completed");
		await bed.clock.advance(1_000);
		return conversationId;
	}
	return { desk, laptop, phone, call, kinds, turnOn, finish };
}

test("[FL260] the inbox has what waits on every host in one order, with its host, and everybody is told how many; it is answered in place", async () => {
	const { desk, laptop, call, kinds, turnOn, finish } = await createBed();
	const counts: number[] = [];
	desk.everywhere.conversations.inbox.onChange(({ items }) => counts.push(items.length));
	const own = await finish(desk);
	const { conversationId, turn } = await turnOn(laptop);
	const answered = turn.options.ask({ question: "Tea or coffee?", choices: ["Tea", "Coffee"], allowFreeform: false }, turn.signal);
	await bed.clock.advance(1_000);
	const { items } = (await call("GET", "/api/inbox")).body;
	const remote = laptop.remote(conversationId);
	expect(items).toMatchObject([
		{
			kind: "question",
			conversationId: remote,
			title: "Hello",
			host: { id: laptop.id, name: "host 2" },
			question: { choices: ["Tea", "Coffee"] },
		},
		{ kind: "finished", conversationId: own, host: { id: desk.id, name: "host 1" } },
	]);
	expect(counts.at(-1)).toBe(2);
	const { requestId } = items[0].question;
	void desk.everywhere.conversations.answer({ conversationId: remote, requestId, answer: "Tea", by: "web" });
	await bed.clock.advance(1_000);
	expect(await answered).toMatchObject({ answer: "Tea" });
	expect([kinds(desk), counts.at(-1)]).toEqual([["finished"], 1]);
});

test("[FL261] seen, put off and taken back on one host is so on every one, because the host where it waits holds it", async () => {
	const { desk, laptop, phone, call, kinds, finish } = await createBed();
	await finish(laptop);
	await finish(laptop);
	const [first, second] = (await call("GET", "/api/inbox")).body.items;
	expect((await call("POST", `/api/inbox/${first.id}/seen`)).status).toBe(204);
	expect(desk.everywhere.conversations.inbox.list().map(({ id }) => id)).toEqual([second.id]);
	await bed.clock.advance(1_000);
	expect([kinds(laptop), kinds(phone)]).toEqual([["finished"], ["finished"]]);
	const until = new Date(bed.clock.now() + 3_600_000).toISOString();
	expect((await call("POST", `/api/inbox/${second.id}/snooze`, { until })).status).toBe(204);
	await bed.clock.advance(1_000);
	expect([kinds(desk), kinds(laptop), kinds(phone)]).toEqual([[], [], []]);
	expect((await call("GET", "/api/inbox")).body.snoozed).toMatchObject([{ id: second.id, until, host: { name: "host 2" } }]);
	expect((await call("DELETE", `/api/inbox/${second.id}/snooze`)).status).toBe(204);
	await bed.clock.advance(1_000);
	expect([kinds(desk), kinds(laptop), kinds(phone)]).toEqual([["finished"], ["finished"], ["finished"]]);
	expect((await call("POST", `/api/inbox/${first.id}/seen`)).body.error.code).toBe("inbox-item-not-found");
	expect((await call("POST", `/api/inbox/${second.id}/snooze`, { until: new Date(0).toISOString() })).body.error.code).toBe("bad-request");
	expect((await call("POST", "/api/inbox/zzzzzzzzzzzzzzzz_finished-1/seen")).body.error.code).toBe("inbox-item-not-found");
});

test("[FL262] a page that shows a conversation of another host is a look: its end is in nobody's list, unless the page goes without a word", async () => {
	const { desk, laptop, phone, kinds, finish } = await createBed();
	const id = await laptop.core.begin();
	const remote = laptop.remote(id);
	const screen = desk.presence.screen();
	screen.show(remote);
	await bed.clock.advance(1_000);
	await finish(laptop, id);
	expect([kinds(desk), kinds(laptop), kinds(phone)]).toEqual([[], [], []]);
	// Still there, which says nothing of whether somebody saw the end.
	await bed.clock.advance(200_000);
	screen.close();
	await bed.clock.advance(1_000);
	expect([kinds(desk), kinds(laptop), kinds(phone)]).toEqual([["finished"], ["finished"], ["finished"]]);
	const again = desk.presence.screen();
	again.show(remote);
	await bed.clock.advance(1_000);
	again.close();
	await bed.clock.advance(1_000);
	expect([kinds(desk), kinds(laptop), kinds(phone)]).toEqual([[], [], []]);
	// A host that dies while its page shows something shows it no more after a while.
	desk.presence.screen().show(remote);
	await bed.clock.advance(1_000);
	desk.setOffline(true);
	await finish(laptop, id);
	expect(kinds(laptop)).toEqual([]);
	await bed.clock.advance(200_000);
	expect(kinds(laptop)).toEqual(["finished"]);
});

test("[FL263] what waits on a host that is away is shown as it was known, and settling it is refused with host-offline", async () => {
	const { laptop, call, finish } = await createBed();
	await finish(laptop);
	laptop.setOffline(true);
	await bed.clock.advance(20_000);
	const [item] = (await call("GET", "/api/inbox")).body.items;
	expect(item).toMatchObject({ kind: "finished", host: { name: "host 2" } });
	const refused = await call("POST", `/api/inbox/${item.id}/seen`);
	expect([refused.status, refused.body.error.code]).toEqual([503, "host-offline"]);
	expect((await call("GET", "/api/inbox")).body.items).toHaveLength(1);
});
