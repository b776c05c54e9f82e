import { createStore } from "zustand/vanilla";
import { conversationId, messageId } from "../../../packages/server/src/core/kernel/ids.ts";
import { type Api, api as realApi } from "../../../packages/web/src/api/api.ts";
import { ApiError } from "../../../packages/web/src/api/request.ts";
import { createConnection } from "../../../packages/web/src/connection/connection.ts";
import { createFrameBatch } from "../../../packages/web/src/connection/frame-batch.ts";
import { createViewCache } from "../../../packages/web/src/conversation/view-cache.ts";
import type { AppActions } from "../../../packages/web/src/state/app-actions.ts";
import type { AppState } from "../../../packages/web/src/state/app-state.ts";
import { createController } from "../../../packages/web/src/state/controller.ts";
import { initialState } from "../../../packages/web/src/state/initial-state.ts";
import { settingsSchema } from "../../../packages/web/src/state/settings.ts";
import { createMemoryStore, type DeviceStore } from "../../../packages/web/src/storage/database.ts";
import { createWriteAheadStore, type NoteStorage } from "../../../packages/web/src/storage/write-ahead-outbox.ts";
import { mortal } from "../../support/fake-clock.ts";
import type { World } from "../frame/part.ts";
import type { Wire } from "./wire.ts";

/** What a browser keeps when a page is loaded again. */
export interface Device {
	readonly store: DeviceStore;
	readonly notes: NoteStorage;
	/** Its clock beside the true time. */
	skewMs: number;
	openId: string | undefined;
}

/** One load of the page, with all of its code below the components. */
export interface SimulatedPage {
	readonly actions: AppActions;
	state(): AppState;
	open(id: string): void;
	/** The id of what is sent next. */
	nextId: string | undefined;
	setVisible(isVisible: boolean): void;
	networkBack(): void;
	networkGone(): void;
	/** The tab is closed or loaded again: memory is gone, and what the device was still writing with it. */
	die(): void;
}

const FRAME_MS = 16;
/** The browser's database writes so much later. */
const DEVICE_MS = 4;

export function createDevice(): Device {
	const notes = new Map<string, string>();
	return {
		store: createMemoryStore(),
		notes: {
			getItem: (key) => notes.get(key) ?? null,
			setItem: (key, value) => void notes.set(key, value),
			removeItem: (key) => void notes.delete(key),
			key: (index) => [...notes.keys()][index] ?? null,
			get length() {
				return notes.size;
			},
		},
		skewMs: 0,
		openId: undefined,
	};
}

export function createPage(
	world: World,
	name: string,
	{ device, wire, heard }: { device: Device; wire: Wire; heard(text: string): void },
): SimulatedPage {
	const life = mortal(world.clock);
	const random = world.random(`page ${name}`);
	let isAlive = true;
	let isVisible = true;
	let ids = 0;
	const clock = { now: () => world.clock.now() + device.skewMs, after: life.clock.after };
	const store = createStore<AppState>(() =>
		initialState({ settings: settingsSchema.parse({}), language: "en", visits: {}, now: clock.now() }),
	);
	const kept = createWriteAheadStore(
		slowStore(device.store, life.clock.after, () => isAlive),
		device.notes,
	);
	const visible = () => isVisible;
	const controller = createController({
		...{ store, device: kept, cache: createViewCache(kept), clock, storage: device.notes, visible },
		api: createApi(world, wire),
		newId() {
			const given = page.nextId;
			page.nextId = undefined;
			return given ?? `${name}-${device.notes.length}-${ids++}-${world.ids.next()}`;
		},
		createConnection: (hooks) =>
			createConnection({
				...{ clock, random: random.next, visible, openSocket: wire.open, onState: hooks.onState },
				probe: async () => "ok",
				onText(text) {
					if (isAlive) heard(text);
					hooks.onText(text);
				},
			}),
		createBatch: (deliver) =>
			createFrameBatch({
				...{ deliver, visible, now: clock.now },
				nextFrame: (run) => void clock.after(FRAME_MS, run),
				later: (delayMs, run) => void clock.after(delayMs, run),
			}),
	});
	const page: SimulatedPage = {
		actions: controller.actions,
		state: store.getState,
		open(id) {
			device.openId = id;
			withBrowser(() => controller.actions.openConversation(id));
		},
		nextId: undefined,
		setVisible(next) {
			if (isVisible === next) return;
			isVisible = next;
			controller.visibilityChanged();
		},
		networkBack: controller.networkBack,
		networkGone: controller.networkGone,
		die() {
			isAlive = false;
			life.die();
			wire.cut();
		},
	};
	void controller.start();
	if (device.openId !== undefined) page.open(device.openId);
	return page;
}

/** Writes come a moment later; a page that is gone by then has written nothing. */
function slowStore(store: DeviceStore, after: (ms: number, run: () => void) => void, isAlive: () => boolean): DeviceStore {
	const later = () => new Promise<void>((resolve) => after(DEVICE_MS, resolve));
	return {
		...store,
		async put(...input) {
			await later();
			if (isAlive()) await store.put(...input);
		},
		async delete(...input) {
			await later();
			if (isAlive()) await store.delete(...input);
		},
	};
}

/** The routes that the page's actions use, straight to the service, through the same network. What changed is durable before it is answered. */
function createApi(world: World, wire: Wire): Api {
	async function ask<T>(work: (conversations: NonNullable<World["host"]["life"]>["conversations"]) => T | Promise<T>): Promise<T> {
		try {
			return await wire.request(async () => {
				const life = world.host.life;
				if (life === undefined) throw unreachable();
				const answer = await work(life.conversations);
				await life.opened.store.durable();
				if (!life.isAlive()) throw unreachable();
				return answer;
			});
		} catch (error) {
			throw error instanceof ApiError ? error : unreachable();
		}
	}
	return {
		...realApi,
		probe: async () => "ok",
		conversations: () => ask((conversations) => conversations.list({ limit: 100 })),
		createConversation: () => ask((conversations) => conversations.create({})),
		updateConversation: (id, patch) => ask((conversations) => conversations.update(conversationId(id), patch)),
		deleteConversation: (id) => ask((conversations) => conversations.delete(conversationId(id))),
		messages: (id, { before, limit }) =>
			ask((conversations) =>
				conversations.messages(conversationId(id), { limit, ...(before === undefined ? {} : { before: messageId(before) }) }),
			),
	};
}

const unreachable = () => new ApiError({ code: "unreachable", status: 0, message: "The server cannot be reached." });

/** Turning to a conversation writes its address into the browser; here there is none but for this moment. */
function withBrowser(work: () => void): void {
	const nothing = () => undefined;
	const place = { pathname: "", search: "" };
	const before = {
		location: Object.getOwnPropertyDescriptor(globalThis, "location"),
		history: Object.getOwnPropertyDescriptor(globalThis, "history"),
	};
	Object.defineProperty(globalThis, "location", { value: place, configurable: true });
	Object.defineProperty(globalThis, "history", { value: { pushState: nothing, replaceState: nothing }, configurable: true });
	try {
		work();
	} finally {
		for (const [name, descriptor] of Object.entries(before)) {
			if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
			else Object.defineProperty(globalThis, name, descriptor);
		}
	}
}
