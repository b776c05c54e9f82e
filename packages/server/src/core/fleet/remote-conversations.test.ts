import { expect, test, vi } from "vitest";
import { AppError } from "../kernel/errors.ts";
import { conversationId, randomIds } from "../kernel/ids.ts";
import type { FleetHost, FleetStatus } from "../ports/fleet.ts";
import { createRemoteCalls } from "./remote-calls.ts";
import { createRemoteConversations } from "./remote-conversations.ts";

const HOST = "a".repeat(16);
const ID = conversationId(`${HOST}_c1`);
const other: FleetHost = { id: HOST, name: "desk", self: false, state: "offline", lastSeen: undefined, version: "" };

function bed(fleet: { hosts: FleetHost[]; status: FleetStatus }) {
	const subscribe = vi.fn(() => ({ close: () => undefined }));
	const remote = createRemoteConversations({
		fleet: { hosts: () => fleet.hosts, status: () => fleet.status },
		calls: createRemoteCalls({ command: () => Promise.reject(new AppError("host-offline", "off")) }, async () => []),
		views: {
			subscribe,
			follow: subscribe,
			turn: () => undefined,
			asking: () => undefined,
			recent: () => [],
			state: async () => undefined,
			close: () => undefined,
		},
		list: { list: () => [], adopt: () => undefined, find: () => undefined, onChange: () => () => undefined, close: () => undefined },
		sender: { send: () => Promise.reject(new AppError("host-offline", "off")) },
		ids: randomIds,
	});
	return { subscribe, open: () => remote.subscribe(ID, {}, { event: () => undefined, reply: () => undefined }) };
}

test("[FL331] a page that comes back before its server knows its fleet waits, and is not told that the conversation is gone", () => {
	const starting = bed({ hosts: [], status: { kind: "connecting", url: "", because: undefined } });
	starting.open();
	expect(starting.subscribe).toHaveBeenCalledOnce();
	const known = bed({ hosts: [other], status: { kind: "connecting", url: "", because: undefined } });
	known.open();
	expect(known.subscribe).toHaveBeenCalledOnce();
	const because = (reason: string) => new AppError("fleet-refused", "No.", { params: { reason } });
	const locked = bed({ hosts: [], status: { kind: "refused", url: "", because: because("credentials") } });
	locked.open();
	expect(locked.subscribe).toHaveBeenCalledOnce();
	const homeless = bed({ hosts: [], status: { kind: "refused", url: "", because: because("no-place") } });
	const stranger = bed({ hosts: [{ ...other, id: "b".repeat(16) }], status: { kind: "connecting", url: "", because: undefined } });
	for (const { open } of [homeless, stranger]) expect(open).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
});
