import { expect, test } from "vitest";
import { createOpenSessions, type OpenableSession } from "./open-sessions.ts";

/** A session that tells what is done to it. */
function sessionOf(name: string, told: string[], onClosed: () => void, fails = false): OpenableSession & { name: string } {
	return {
		name,
		async open() {
			told.push(`open ${name}`);
			if (fails) throw new Error("it does not open");
		},
		async close() {
			told.push(`close ${name}`);
			onClosed();
		},
	};
}

test("[AC452] the session that is open under an id is closed before another is opened, and the late end of the old one takes nothing away", async () => {
	const told: string[] = [];
	const sessions = createOpenSessions<ReturnType<typeof sessionOf>>();
	const first = await sessions.open("c", (onClosed) => sessionOf("first", told, onClosed));
	await sessions.open("c", (onClosed) => sessionOf("second", told, onClosed));
	expect(told).toEqual(["open first", "close first", "open second"]);
	await first.close();
	expect(sessions.list().map(({ name }) => name)).toEqual(["second"]);
	await sessions.close("c");
	await sessions.close("unknown");
	expect(sessions.list()).toEqual([]);
});

test("[AC452] what does not open is closed and not kept; an id that is none opens nothing; all are closed at once", async () => {
	const told: string[] = [];
	const sessions = createOpenSessions<ReturnType<typeof sessionOf>>();
	await expect(sessions.open("c", (onClosed) => sessionOf("broken", told, onClosed, true))).rejects.toThrow("it does not open");
	await expect(sessions.open("../c", (onClosed) => sessionOf("bad", told, onClosed))).rejects.toMatchObject({ code: "session-failed" });
	expect([told, sessions.list()]).toEqual([["open broken", "close broken"], []]);
	for (const id of ["a", "b"]) await sessions.open(id, (onClosed) => sessionOf(id, told, onClosed));
	await sessions.closeAll();
	expect(sessions.list()).toEqual([]);
});
