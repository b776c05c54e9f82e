import { beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { api } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import { browserClock } from "../connection/clock.ts";
import type { ConnectionState } from "../connection/connection.ts";
import { createViewCache } from "../conversation/view-cache.ts";
import { createMemoryStore, type DeviceStore } from "../storage/database.ts";
import type { AppState } from "./app-state.ts";
import { createController } from "./controller.ts";
import { initialState } from "./initial-state.ts";
import { settingsSchema } from "./settings.ts";

let device: DeviceStore;
let notes: Map<string, string>;
let calls: string[];
let looking: boolean;
beforeEach(async () => {
	looking = true;
	device = createMemoryStore();
	calls = [];
	notes = new Map([
		["rightseat:settings", "{}"],
		["rightseat:drafts", "an unsent draft"],
		["rightseat:visits", "{}"],
		["other", "of somebody else"],
	]);
	for (const store of ["views", "lists", "outbox"] as const) await device.put(store, "k", "text");
});

/** A page whose server answers like this when asked whether the login holds. */
function page(probe: Probe, session: AppState["session"] = "signed-in") {
	const store = createStore<AppState>(() => ({
		...initialState({ settings: settingsSchema.parse({}), language: "en", visits: {}, now: 0 }),
		session,
	}));
	const hooks: { onState?: (state: ConnectionState) => void } = {};
	const nothing = () => undefined;
	const controller = createController({
		store,
		api: { ...api, probe: async () => probe, logout: async () => undefined },
		device,
		cache: createViewCache(device),
		clock: browserClock,
		storage: {
			getItem: (key) => notes.get(key) ?? null,
			setItem: (key, value) => void notes.set(key, value),
			removeItem: (key) => void notes.delete(key),
			key: (index) => [...notes.keys()][index] ?? null,
			get length() {
				return notes.size;
			},
		},
		newId: () => "id",
		visible: () => looking,
		forgetBrowser: async () => void calls.push("forget browser"),
		reload: () => void calls.push("reload"),
		createConnection(given) {
			hooks.onState = given.onState;
			return {
				connect: nothing,
				send: () => true,
				state: () => ({ kind: "stopped" }),
				...{ visibilityChanged: nothing, networkBack: nothing, networkGone: nothing, stop: nothing },
			};
		},
		createBatch: (deliver) => ({ add: (frame) => deliver([frame]), flush: nothing }),
	});
	return { store, controller, closedWith4001: () => hooks.onState?.({ kind: "signed-out" }) };
}
const kept = async () =>
	(await Promise.all((["views", "lists", "outbox"] as const).map((store) => device.all(store)))).map(({ length }) => length);
const settle = () => new Promise((resolve) => setTimeout(resolve));

test("[SE115] a device that was thrown out keeps nothing: texts, unsent prompts, drafts, files for offline use, what is in memory", async () => {
	const { store, closedWith4001 } = page("revoked");
	closedWith4001();
	expect(store.getState().session).toBe("signed-out");
	await settle();
	expect(await kept()).toEqual([0, 0, 0]);
	expect([...notes.keys()]).toEqual(["rightseat:settings", "other"]);
	expect(calls).toEqual(["forget browser", "reload"]);
});

test("[SE115] it forgets also when it learns that only at its next start", async () => {
	const { store, controller } = page("revoked", "checking");
	await controller.start();
	expect(store.getState().session).toBe("signed-out");
	expect(await kept()).toEqual([0, 0, 0]);
	expect([...notes.keys()]).toEqual(["rightseat:settings", "other"]);
	// Nothing was loaded yet, so there is nothing to reload for.
	expect(calls).toEqual(["forget browser"]);
});

test.each(["signed-out", "unreachable"] as const)(
	"[SE116] a login that ended otherwise (%s) takes the texts of conversations along and leaves what was not sent yet",
	async (answer) => {
		const { closedWith4001 } = page(answer);
		closedWith4001();
		await settle();
		expect(await kept()).toEqual([0, 0, 1]);
		expect(notes.get("rightseat:drafts")).toBe("an unsent draft");
		expect(calls).toEqual([]);
	},
);

test("[SE243] a server that cannot be reached at the start takes nothing away", async () => {
	const { controller } = page("unreachable", "checking");
	await controller.start();
	expect(await kept()).toEqual([1, 1, 1]);
});

test("[SE116] what the end of a login took away is not written again by a page that is hidden afterwards", async () => {
	const { controller, closedWith4001 } = page("signed-out");
	closedWith4001();
	await settle();
	looking = false;
	controller.visibilityChanged();
	await settle();
	expect(await kept()).toEqual([0, 0, 1]);
});

test("[PG343] a page that was thrown out offers no form until it has loaded anew: what is typed into it would be lost", async () => {
	const { store, closedWith4001 } = page("revoked");
	closedWith4001();
	expect(store.getState().forgetting).toBe(true);
	await settle();
	expect([store.getState().forgetting, calls]).toEqual([true, ["forget browser", "reload"]]);
});

test("[PG343] whoever was not thrown out, or whose device could not forget, gets the form", async () => {
	const ranOut = page("signed-out");
	ranOut.closedWith4001();
	await settle();
	expect(ranOut.store.getState()).toMatchObject({ session: "signed-out", forgetting: false });
	const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
	device.clear = () => Promise.reject(new DOMException("The database is closed.", "InvalidStateError"));
	const broken = page("revoked");
	broken.closedWith4001();
	await settle();
	expect(broken.store.getState()).toMatchObject({ session: "signed-out", forgetting: false });
	warn.mockRestore();
});

test("[PG343] whoever leaves by themselves gets the form at once", async () => {
	const { store, controller } = page("signed-out");
	const leaving = controller.actions.logout();
	const seen: boolean[] = [];
	store.subscribe(({ forgetting }) => void seen.push(forgetting));
	await leaving;
	expect(seen).not.toContain(true);
});

test("[SE242] whoever leaves leaves nothing behind", async () => {
	const { controller } = page("signed-out");
	await controller.actions.logout();
	expect(await kept()).toEqual([0, 0, 0]);
	expect([...notes.keys()]).toEqual(["rightseat:settings", "other"]);
});
