import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Head, LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { answerReader } from "../../core/fleet/owner-answer.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { CHAIN_START } from "../../core/log/chains.ts";
import type { FleetOwner, FleetReader } from "../../core/ports/fleet.ts";
import { chainLink } from "../crypto/chain.ts";

/** A host's conversations: one log of words. */
export function createFakeOwner() {
	const [onEvent, onConversation] = [
		new Set<Parameters<FleetOwner["onEvent"]>[0]>(),
		new Set<Parameters<FleetOwner["onConversation"]>[0]>(),
	];
	const onInbox = new Set<() => void>();
	let inbox: HostInbox = { items: [], snoozed: [] };
	const logs = new Map<string, LiveEvent[]>();
	const ran: FleetCommand[] = [];
	const audited: string[] = [];
	const forgotten: string[] = [];
	const headOf = (id: string): Position => {
		const last = logs.get(id)?.at(-1);
		return { generation: 1, epoch: "e1", seq: last?.seq ?? 0, chain: last?.chain ?? CHAIN_START };
	};
	const snapshotOf = (id: string) =>
		JSON.stringify({
			type: "copilot:snapshot",
			data: { conversationId: id, epoch: "e1", seq: headOf(id).seq, words: logs.get(id)?.map(wordOf) ?? [] },
		});
	const owner: FleetOwner = {
		run(command) {
			ran.push(command);
			return Promise.resolve(['{"type":"done"}']);
		},
		read(id, from) {
			const events = logs.get(id);
			if (events === undefined) return Promise.resolve({ kind: "gone" });
			const log = {
				head: () => headOf(id),
				chainAt: (seq: number) => (seq === 0 ? CHAIN_START : events[seq - 1]?.chain),
				after: (seq: number) => events.slice(seq, seq + 50),
				snapshot: () => snapshotOf(id),
			};
			return Promise.resolve(answerReader(log, from));
		},
		forget: (host) => void forgotten.push(host),
		audit: (command, verdict) => void audited.push(`${command.frame.type} ${verdict}`),
		conversations: (limit) => [...logs.keys()].slice(0, limit).map(conversationOf),
		onConversation: (listener) => listen(onConversation, listener),
		onEvent: (listener) => listen(onEvent, listener),
		inbox: () => inbox,
		onInbox: (listener) => listen(onInbox, listener),
		heads: () => [...logs.keys()].map((id): Head => ({ conversationId: id, ...headOf(id) })),
		snapshot: (id) => Promise.resolve(logs.has(id) ? { position: headOf(id), frame: snapshotOf(id) } : undefined),
	};
	return {
		...{ owner, ran, audited, forgotten },
		words: (id: string) => logs.get(id)?.map(wordOf) ?? [],
		create(id: string) {
			logs.set(id, []);
			for (const listener of onConversation) listener({ kind: "created", conversation: conversationOf(id) });
		},
		delete(id: string) {
			logs.delete(id);
			for (const listener of onConversation) listener({ kind: "deleted", id });
		},
		setInbox(next: HostInbox) {
			inbox = next;
			for (const listener of onInbox) listener();
		},
		say(id: string, word: string, type = "copilot:delta") {
			const { seq, chain } = headOf(id);
			const frame = JSON.stringify({ type, data: { conversationId: id, epoch: "e1", seq: seq + 1, word } });
			const event = { generation: 1, epoch: "e1", seq: seq + 1, chain: chainLink(chain, frame), frame };
			logs.get(id)?.push(event);
			for (const listener of onEvent) listener(conversationId(id), event);
		},
	};
}

const wordOf = ({ frame = "{}" }: LiveEvent): string => JSON.parse(frame).data.word;

function listen<T>(listeners: Set<T>, listener: T): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

const conversationOf = (id: string): Conversation => ({
	...{
		id,
		title: `about ${id}`,
		agent: "copilot",
		model: "",
		mode: "agent",
		effort: "",
		cwd: "/",
		sdkSessionId: null,
		pinned: false,
		archived: false,
	},
	...{
		permissions: "auto",
		status: "idle",
		asking: false,
		epoch: "e1",
		headSeq: 0,
		createdAt: "2026-01-01T00:00:00Z",
		updatedAt: "2026-01-01T00:00:00Z",
	},
});

/** What a reader of another host's conversation shows. */
export function createView() {
	let [words, seq, copyOf]: [string[], number, number | undefined] = [[], 0, undefined];
	let isGone = false;
	const reader: FleetReader = {
		event(frame, position) {
			if (position.seq !== seq + 1) throw new Error(`${position.seq} after ${seq}`);
			words.push(JSON.parse(frame).data.word);
			[seq, copyOf] = [position.seq, undefined];
		},
		snapshot(frame, position, about) {
			[words, seq, copyOf] = [JSON.parse(frame).data.words, position.seq, about.copyOf];
		},
		gone() {
			isGone = true;
		},
	};
	return { reader, words: () => words, copyOf: () => copyOf, isGone: () => isGone };
}
