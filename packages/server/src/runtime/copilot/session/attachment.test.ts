import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createAttachment } from "./attachment.ts";

/** One runtime whose sessions note when they are let go, and leases that the test hands out. */
function setUp() {
	const disconnected: string[] = [];
	let sessions = 0;
	const session = async () => {
		const name = `session ${++sessions}`;
		return { on: () => undefined, setModel: async () => undefined, disconnect: async () => void disconnected.push(name) };
	};
	const lease = {
		client: { resumeSession: session, createSession: session },
		gone: new AbortController().signal,
		signOfLife: () => undefined,
		retired: false,
		hold: () => () => undefined,
		stopped: Promise.resolve(),
	};
	type Asked = { give(): void; refuse(error: Error): void };
	let asked: (request: Asked) => void = () => undefined;
	let next = new Promise<Asked>((resolve) => {
		asked = resolve;
	});
	const attachment = createAttachment({
		sessionId: "c1",
		cwd: "/here",
		clock: createFakeClock(),
		logger: silentLogger,
		lease: () => new Promise<typeof lease>((resolve, reject) => asked({ give: () => resolve(lease), refuse: reject })),
		folders: { look: async () => ({ realPath: "/here", isDirectory: true }) },
		config: async () => ({}),
		prepare: async () => undefined,
		onEvent: () => undefined,
	});
	async function nextLease(): Promise<Asked> {
		const request = await next;
		next = new Promise((resolve) => {
			asked = resolve;
		});
		return request;
	}
	return { attachment, disconnected, nextLease };
}

/** Attached once, and on the way to another connection. */
async function reconnecting() {
	const bed = setUp();
	const first = bed.attachment.attach();
	(await bed.nextLease()).give();
	await first;
	bed.attachment.invalidate();
	const second = bed.attachment.attach();
	return { ...bed, second, lease: await bed.nextLease() };
}

test("[RT160] a session that is closed while its reconnection fails is let go", async () => {
	const { attachment, disconnected, second, lease } = await reconnecting();
	await attachment.close();
	lease.refuse(new AppError("runtime-resting", "It rests."));
	await expect(second).rejects.toMatchObject({ code: "runtime-resting" });
	expect(disconnected).toEqual(["session 1"]);
});

test("[RT160] a session that is closed while it reconnects is let go, and so is the new connection", async () => {
	const { attachment, disconnected, second, lease } = await reconnecting();
	await attachment.close();
	lease.give();
	await expect(second).rejects.toMatchObject({ code: "session-failed" });
	expect(disconnected).toEqual(["session 1", "session 2"]);
});

test("[RT160] one that fails to reconnect and is closed later is let go then", async () => {
	const { attachment, disconnected, second, lease } = await reconnecting();
	lease.refuse(new AppError("runtime-resting", "It rests."));
	await expect(second).rejects.toMatchObject({ code: "runtime-resting" });
	expect(disconnected).toEqual([]);
	await attachment.close();
	expect(disconnected).toEqual(["session 1"]);
});
