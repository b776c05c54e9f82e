import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId } from "../kernel/ids.ts";
import type { FleetReader, OwnerAnswer } from "../ports/fleet.ts";
import { createRemoteReader } from "./remote-reader.ts";

const link = (previous: string, frame: string) => (Number.parseInt(previous, 16) + frame.length).toString(16).padStart(16, "0");
const ID = conversationId("abcdefgh234567ab_c1");
const text = (type: string, seq: number, more: object = {}) =>
	JSON.stringify({ type, data: { conversationId: "c1", epoch: "e", seq, ...more } });

function createBed(answers: OwnerAnswer[], tellsAsks = false) {
	const clock = createFakeClock();
	const told: string[] = [];
	const reader: FleetReader = {
		event: (frame, { seq }) => void told.push(`event ${seq} ${JSON.parse(frame).type} ${JSON.parse(frame).data.conversationId}`),
		snapshot: (frame, { seq }, { copyOf }) => void told.push(`snapshot ${seq} ${JSON.parse(frame).data.conversationId} ${copyOf ?? ""}`),
		gone: () => void told.push("gone"),
	};
	const copy = { position: { generation: 1, epoch: "e", seq: 1, chain: "0".repeat(16) }, frame: text("copilot:snapshot", 1), at: 5 };
	const remote = createRemoteReader({
		...{ id: ID, conversationId: "c1", reader, link, clock },
		ask(from) {
			if (tellsAsks) told.push(`asked after ${from?.seq ?? 0}`);
			return Promise.resolve(answers.shift() ?? { kind: "failed", reason: "no-responders" });
		},
		readCopy: () => Promise.resolve(copy),
	});
	return { clock, told, remote };
}

const head = { generation: 1, epoch: "e", seq: 1, chain: "0".repeat(16) };
const snapshot: OwnerAnswer = { kind: "snapshot", position: head, frame: text("copilot:snapshot", 1), isRewritten: false };

test("[FL200] a frame that cannot be passed on still has its place, so that nobody thinks that something is missing", async () => {
	const { clock, told, remote } = createBed([snapshot]);
	remote.doubt();
	await clock.advance(0);
	let { chain } = head;
	for (const [index, frame] of [text("copilot:delta", 2), text("app:status", 3), text("copilot:delta", 4)].entries()) {
		chain = link(chain, frame);
		remote.event({ generation: 1, epoch: "e", seq: index + 2, chain, frame });
	}
	expect(told).toEqual([
		`snapshot 1 ${ID} `,
		`event 2 copilot:delta ${ID}`,
		`event 3 fleet:unreadable ${ID}`,
		`event 4 copilot:delta ${ID}`,
	]);
});

test("[FL200] a host that is away is read from its copy and asked again, and nothing follows the end", async () => {
	const { clock, told, remote } = createBed([{ kind: "failed", reason: "no-responders" }, { kind: "gone" }]);
	remote.doubt();
	await clock.advance(0);
	expect(told).toEqual([`snapshot 1 ${ID} 5`]);
	remote.beat(undefined);
	await clock.advance(1_000);
	expect(told.at(-1)).toBe("gone");
	remote.close();
	remote.doubt();
	remote.silent();
	await clock.advance(60_000);
	expect([told.length, clock.pending()]).toEqual([2, 0]);
});

test("[FL356] the next page is asked for before the one that has come is shown", async () => {
	const frames = [text("copilot:delta", 2), text("copilot:delta", 3)];
	const chains = [link(head.chain, frames[0] ?? ""), link(link(head.chain, frames[0] ?? ""), frames[1] ?? "")];
	const pages = frames.map((frame, index): OwnerAnswer => {
		const event = { generation: 1, epoch: "e", seq: index + 2, chain: chains[index] ?? "", frame };
		return { kind: "events", events: [event], head: { ...head, seq: 3, chain: chains[1] ?? "" }, hasMore: index === 0 };
	});
	const { clock, told, remote } = createBed([snapshot, ...pages], true);
	remote.doubt();
	await clock.advance(0);
	remote.doubt();
	await clock.advance(1_000);
	expect(told.slice(2)).toEqual(["asked after 1", "asked after 2", `event 2 copilot:delta ${ID}`, `event 3 copilot:delta ${ID}`]);
	remote.close();
});
