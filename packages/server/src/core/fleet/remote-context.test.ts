import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import { fleetTypeOf } from "@rightseat/protocol/fleet/requests";
import { expect, test } from "vitest";
import { conversationId, randomIds } from "../kernel/ids.ts";
import { createRemoteContext } from "./remote-context.ts";

const PICTURE = { tokens: 1, limit: 2, categories: [] };
const ID = conversationId("there");

function host(answer: unknown) {
	const asked: FleetHttp[] = [];
	const calls = {
		async json(_place: unknown, request: FleetHttp) {
			asked.push(request);
			return answer;
		},
	};
	return { asked, context: createRemoteContext(calls, randomIds, () => ({ host: "h1", conversationId: "c1" })) };
}

test("[CX25] looks, compacting and side questions go to the host of the conversation, each with an id by which it happens once", async () => {
	const look = host(PICTURE);
	expect(await look.context.lookAtContext(ID)).toEqual(PICTURE);
	const compact = host({ messageId: "m1", duplicate: false });
	expect(await compact.context.compact(ID, { origin: "telegram", from: "7" })).toMatchObject({ messageId: "m1", duplicate: false });
	const aside = host({ answer: "yes" });
	expect(await aside.context.askAside(ID, { question: "Why?", requestId: "a1" })).toBe("yes");
	const asked = [look, compact, aside].flatMap((each) => each.asked);
	expect(asked).toMatchObject([
		{ method: "GET", path: "/api/conversations/c1/context" },
		{ method: "POST", path: "/api/conversations/c1/compact", body: { requestId: expect.any(String) } },
		{ method: "POST", path: "/api/conversations/c1/aside", body: { question: "Why?", requestId: "a1" } },
	]);
	expect(asked.map(({ method, path }) => fleetTypeOf(method, path))).toEqual(["fleet:look", "fleet:work", "fleet:work"]);
});

test("[CX25] an answer that cannot be read here is refused", async () => {
	await expect(host({ answer: 7 }).context.askAside(ID, { question: "Why?" })).rejects.toMatchObject({ code: "fleet-refused" });
});
