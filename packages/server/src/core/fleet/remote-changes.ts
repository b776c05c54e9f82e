import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import { changeAnswer, changesAnswer, hunksAnswer, undoAnswer } from "@rightseat/protocol/http/changes";
import type { FileChanges } from "../changes/file-changes.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { RecordedChange } from "../ports/changes.ts";
import { type Place, type RemoteCalls, readWith, SOMEBODY } from "./remote-calls.ts";

/** What a conversation of another host changed in files there, and the way back. */
export function createRemoteChanges(calls: RemoteCalls, placeOf: (id: ConversationId) => Place & { conversationId: string }): FileChanges {
	function get(id: ConversationId, path: string, query: Record<string, string | undefined> = {}) {
		const place = placeOf(id);
		const given = Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
		const request: FleetHttp = { method: "GET", path: `/api/conversations/${place.conversationId}/changes${path}`, query: given };
		return { place, request };
	}
	async function json(asked: ReturnType<typeof get>): Promise<unknown> {
		return calls.json(asked.place, asked.request, SOMEBODY);
	}
	async function bytes(asked: ReturnType<typeof get>): Promise<Uint8Array> {
		return calls.bytes(asked.place, asked.request, SOMEBODY);
	}
	return {
		async list(id, { before, limit }) {
			const { changes, nextCursor } = readWith(changesAnswer, await json(get(id, "", { before, limit: String(limit) })));
			const recorded = changes.flatMap(({ kind, ...change }): RecordedChange[] => (kind === "conversation" ? [] : [{ ...change, kind }]));
			return { changes: recorded, ...(nextCursor === undefined ? {} : { nextCursor }) };
		},
		get: async (id, change) => readWith(changeAnswer, await json(get(id, `/${change}`))),
		diff: (id, change, path) => bytes(get(id, `/${change}/diff`, { path })),
		hunks: async (id, change, { path, ignoreWhitespace }) =>
			readWith(hunksAnswer, await json(get(id, `/${change}/hunks`, { path, whitespace: ignoreWhitespace ? "ignore" : undefined }))),
		content: (id, change, { path, side }) => bytes(get(id, `/${change}/content`, { path, side })),
		async undo(id, { kind, changeIds, paths, hunks, preview }, actor = SOMEBODY) {
			const place = placeOf(id);
			const part = { paths, hunks, preview };
			const base = `/api/conversations/${place.conversationId}/changes`;
			const [first = ""] = changeIds;
			const isOne = changeIds.length === 1;
			const path = isOne ? `${base}/${first}/${kind}` : `${base}/undo`;
			const body = isOne ? part : { changeIds, ...part };
			return readWith(undoAnswer, await calls.json(place, { method: "POST", path, body }, actor));
		},
	};
}
