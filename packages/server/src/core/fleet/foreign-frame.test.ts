import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renameEvent, renameSnapshot } from "./foreign-frame.ts";

const position = { generation: 1, epoch: "e", seq: 7, chain: "0".repeat(16) };
const from = { conversationId: "c1", position };
const ID = remoteIdOf("abcdefgh234567ab", "c1");
const place = { conversationId: "c1", epoch: "e", seq: 7 };
const text = (type: string, data: object) => JSON.stringify({ type, data });

test("[FL19] an event of another host is passed on under the id that it has here, also one that nobody here knows", () => {
	const delta = renameEvent(text("copilot:delta", { ...place, messageId: "m", content: 'say "conversationId":"c1"' }), from, ID) ?? "";
	expect(decodeServerFrame(delta)).toEqual({
		kind: "frame",
		frame: { type: "copilot:delta", data: { ...place, conversationId: ID, messageId: "m", content: 'say "conversationId":"c1"' } },
	});
	const news = renameEvent(text("copilot:news", { ...place, more: [1] }), from, ID) ?? "";
	expect(decodeServerFrame(news)).toMatchObject({ kind: "unknown", event: { conversationId: ID, epoch: "e", seq: 7 } });
	const status = renameEvent(text("copilot:stream-status", { ...place, status: "idle" }), from, ID) ?? "";
	expect(decodeServerFrame(status)).toMatchObject({ kind: "frame", frame: { data: { conversationId: ID } } });
	expect(JSON.parse(renameSnapshot(text("copilot:snapshot", { ...place, messages: [] }), from, ID) ?? "")).toMatchObject({
		data: { conversationId: ID },
	});
});

test("[FL19] a job of another host is its conversation's here, whatever it says", () => {
	for (const conversationId of ["c1", "mine"]) {
		const job = renameEvent(text("bash:job", { ...place, job: { bashId: "b", conversationId } }), from, ID) ?? "";
		expect(JSON.parse(job)).toMatchObject({ data: { conversationId: ID, job: { bashId: "b", conversationId: ID } } });
	}
});

test("[FL19] a host cannot speak of another conversation, another place or anything but events, however it writes it", () => {
	const twice = '{"type":"copilot:delta","data":{"conversationId":"c1","epoch":"e","seq":7,"conversation\\u0049d":"mine"}}';
	const hidden = '{"type":"copilot:delta","data":{"conversationId":"c1","epoch":"e","seq":7,"id":"mine"},"type":"conversation:deleted"}';
	const wrong = [
		...[twice, hidden, "{", "null", "[]", '{"type":"copilot:delta"}'],
		...[text("copilot:delta", { ...place, conversationId: "mine" }), text("copilot:delta", { ...place, seq: 8 })],
		...[
			text("copilot:delta", { ...place, epoch: "f" }),
			text("app:status", place),
			text("conversation:updated", place),
			text("copilot:snapshot", place),
		],
	];
	expect(wrong.map((frame) => renameEvent(frame, from, ID))).toEqual(wrong.map(() => undefined));
	expect(renameSnapshot(text("copilot:delta", place), from, ID)).toBeUndefined();
	const again = '{"type":"copilot:delta","data":{"conversationId":"mine","epoch":"e","seq":7,"conversationId":"c1"}}';
	expect(JSON.parse(renameEvent(again, from, ID) ?? "")).toEqual({ type: "copilot:delta", data: { ...place, conversationId: ID } });
});

test("[FL19] whatever a host writes, what is passed on is about its own conversation", () => {
	const data = fc.record({
		...place,
		...{ conversationId: fc.constantFrom("c1", "mine"), epoch: fc.constant("e"), seq: fc.constantFrom(7, "7"), x: fc.jsonValue() },
	});
	const frame = fc.oneof(
		fc.json(),
		fc.string(),
		fc.record({ type: fc.constantFrom("copilot:delta", "pong", "x"), data }).map((each) => JSON.stringify(each)),
	);
	fc.assert(
		fc.property(frame, (each) => {
			const passed = renameEvent(each, from, ID);
			if (passed !== undefined) expect(JSON.parse(passed)).toMatchObject({ data: { ...place, conversationId: ID } });
		}),
	);
});
