import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import { afterEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createPresence } from "../../services/presence/presence.ts";
import type { Actor } from "../kernel/actor.ts";
import { AppError } from "../kernel/errors.ts";
import { randomIds } from "../kernel/ids.ts";
import type { AuditRecord } from "../ports/audit.ts";
import { createFleetOwner } from "./owner.ts";

let core: CoreBed;
afterEach(() => core.close());

const FROM = "abcdefgh234567ab";

async function createBed() {
	core = await createCoreBed({}, undefined, {}, { isInFleet: true });
	const { hostLog, fleetStore } = core;
	if (hostLog === undefined || fleetStore === undefined) throw new Error("There is no fleet.");
	const asked: { request: FleetHttp; who: Actor }[] = [];
	const audited: AuditRecord[] = [];
	const ended: string[] = [];
	const owner = createFleetOwner({
		...{ conversations: core.conversations, jobs: core.shell, hostLog, created: fleetStore.created, clock: core.clock, ids: randomIds },
		audit: { record: (entry) => void audited.push(entry) },
		nameOf: () => "desk",
		async http(request, who) {
			asked.push({ request, who });
			const conversation = request.method === "POST" ? await core.conversations.create({}) : undefined;
			return { status: conversation === undefined ? 200 : 201, headers: {}, body: JSON.stringify({ conversation }), isBase64: false };
		},
		screens: createPresence(),
		upload: (from, { id, part, parts }) => Promise.resolve(part === parts - 1 ? `${from}_${id}` : undefined),
		terminals: {
			handle: () => Promise.resolve(["handled"]),
			read: () => Promise.resolve(["read"]),
			endOf: (host) => void ended.push(host),
		},
	});
	const command = (type: string, data: Record<string, unknown> = {}, conversationId?: string): FleetCommand => ({
		...{ v: 1, id: randomIds.next(), fleet: FROM, from: FROM, to: FROM, conversationId, notAfter: 0 },
		...{ actor: { origin: "web", from: "::1" }, frame: { type, data } },
	});
	const run = (...args: Parameters<typeof command>) => owner.run(command(...args));
	return { owner, run, asked, audited, command, ended };
}

test("[FL202] a request over HTTP is carried out for who asked, if it is what it is called and about the conversation that was signed for", async () => {
	const { run, asked } = await createBed();
	const id = await core.begin();
	const get = { method: "GET", path: `/api/conversations/${id}/tree`, query: { path: "." } };
	expect(await run("fleet:files", get, id)).toEqual(['{"type":"fleet:http","data":{"status":200,"headers":{},"isBase64":false}}', "{}"]);
	expect(asked).toEqual([{ request: get, who: { origin: "web", from: "desk ::1" } }]);
	const wrong = [
		run("fleet:messages", get, id),
		run("fleet:files", get, "another"),
		run("fleet:files", { ...get, path: "/api/settings" }, id),
		run("fleet:work", { ...get, method: "PATCH", path: `/api/conversations/${id}` }, id),
		run("fleet:files", { ...get, path: `/api/conversations/${id}/../../settings/tree` }, id),
		run("fleet:nothing", {}, id),
		run("copilot:nothing", {}, id),
		run("copilot:send", { conversationId: id }, id),
		run("presence:set", { visible: true }),
	];
	for (const each of wrong) await expect(each).rejects.toMatchObject({ code: expect.stringMatching(/unknown-type|bad-frame/) });
	expect(asked.length).toBe(1);
});

test("[FL203] a conversation that another host asks for twice under one key is one", async () => {
	const { run } = await createBed();
	const create = { method: "POST", path: "/api/conversations", body: {}, key: "k1" };
	const [first, second] = [await run("fleet:create", create), await run("fleet:create", create)];
	expect(JSON.parse(second[1] ?? "").conversation.id).toBe(JSON.parse(first[1] ?? "").conversation.id);
	await run("fleet:create", { ...create, key: "k2" });
	expect(core.conversations.list().conversations.length).toBe(2);
});

test("[FL204] a reader gets everything at first, then what follows, and the conversation as it stands when it asks once", async () => {
	const { owner, run } = await createBed();
	const id = await core.begin();
	core.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	const told: number[] = [];
	owner.onEvent((_, event) => void told.push(event.seq));
	const first = await owner.read(id, undefined);
	if (first.kind !== "snapshot") throw new Error("There is no snapshot.");
	core.conversations.prompt({ conversationId: id, prompt: "more", origin: "web" });
	const next = await owner.read(id, first.position);
	if (next.kind !== "events") throw new Error("There are no events.");
	expect(next.events.map(({ seq }) => seq)).toEqual(told);
	expect([next.head.seq, next.hasMore]).toEqual([told.at(-1), false]);
	expect(owner.heads()).toEqual([{ conversationId: id, ...next.head }]);
	expect(await owner.read(id, { ...next.head, chain: "f".repeat(16) })).toMatchObject({ kind: "snapshot", isRewritten: true });
	const state = JSON.parse((await run("fleet:state", {}, id))[0] ?? "");
	expect(state).toMatchObject({ type: "copilot:snapshot", data: { conversationId: id, seq: next.head.seq, status: "streaming" } });
	expect(await owner.snapshot(id)).toMatchObject({ position: next.head });
	await core.clock.advance(61_000);
	expect(owner.heads()).toEqual([]);
	const deleted = core.conversations.delete(id);
	await core.clock.advance(10_000);
	await deleted;
	expect([await owner.read(id, next.head), await owner.snapshot(id), core.fleetStore?.chains.find(id)]).toEqual([
		{ kind: "gone" },
		undefined,
		undefined,
	]);
	await expect(run("fleet:state", {}, id)).rejects.toBeInstanceOf(AppError);
});

test("[FL205] files come in parts, terminals and search are asked for by name, and who asked is written down", async () => {
	const { owner, run, audited, command } = await createBed();
	const part = { id: "a1", name: "x", size: 3, parts: 2, base64: "YQ==" };
	expect([await run("fleet:attachment", { ...part, part: 0 }), await run("fleet:attachment", { ...part, part: 1 })]).toEqual([
		['{"type":"fleet:attachment","data":{}}'],
		[`{"type":"fleet:attachment","data":{"id":"${FROM}_a1"}}`],
	]);
	expect([await run("terminal:input", { terminalId: "t", data: "x" }), await run("fleet:terminal", { terminalId: "t", from: 0 })]).toEqual([
		["handled"],
		["read"],
	]);
	expect(await run("fleet:search", { q: "nothing" })).toEqual(['{"type":"fleet:results","data":{"results":[]}}']);
	owner.audit(command("bash:exec", {}, "c1"), "not-allowed-on-host");
	expect(audited).toEqual([{ kind: "fleet", source: "desk ::1 (web)", detail: "bash:exec in c1: not-allowed-on-host" }]);
});

test("[FL293] terminals of a host that is out end", async () => {
	const { owner, ended } = await createBed();
	owner.forget(FROM);
	expect(ended).toEqual([FROM]);
});
