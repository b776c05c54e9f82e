const NAME = "rightseat";
const VERSION = 1;
const STORES = ["outbox", "views", "lists"] as const;
export type StoreName = (typeof STORES)[number];

/** What the page keeps on the device, by key. A browser without IndexedDB keeps it in memory instead. */
export interface DeviceStore {
	get(store: StoreName, key: string): Promise<unknown>;
	all(store: StoreName): Promise<unknown[]>;
	put(store: StoreName, key: string, value: unknown): Promise<void>;
	delete(store: StoreName, key: string): Promise<void>;
	/** Everything, or only these. */
	clear(stores?: readonly StoreName[]): Promise<void>;
}

export function createMemoryStore(): DeviceStore {
	const data = new Map<StoreName, Map<string, unknown>>(STORES.map((name) => [name, new Map()]));
	return {
		get: (store, key) => Promise.resolve(data.get(store)?.get(key)),
		all: (store) => Promise.resolve([...(data.get(store)?.values() ?? [])]),
		put: (store, key, value) => Promise.resolve(void data.get(store)?.set(key, structuredClone(value))),
		delete: (store, key) => Promise.resolve(void data.get(store)?.delete(key)),
		clear: (stores = STORES) => Promise.resolve(stores.forEach((store) => void data.get(store)?.clear())),
	};
}

export function openDeviceStore(): DeviceStore {
	const memory = createMemoryStore();
	if (typeof indexedDB === "undefined") return memory;
	const opened = openDatabase().catch(() => undefined);
	const use = async <T>(run: (database: IDBDatabase) => Promise<T>, otherwise: () => Promise<T>): Promise<T> => {
		const database = await opened;
		return database === undefined ? otherwise() : run(database);
	};
	const act = <T>(database: IDBDatabase, store: StoreName, mode: IDBTransactionMode, run: (objects: IDBObjectStore) => IDBRequest<T>) =>
		new Promise<T>((resolve, reject) => {
			const transaction = database.transaction(store, mode);
			const request = run(transaction.objectStore(store));
			transaction.oncomplete = () => resolve(request.result);
			transaction.onabort = () => reject(transaction.error ?? new DOMException("The browser's storage refused a write.", "AbortError"));
		});
	return {
		get: (store, key) =>
			use<unknown>(
				(db) => act(db, store, "readonly", (objects) => objects.get(key)),
				() => memory.get(store, key),
			),
		all: (store) =>
			use<unknown[]>(
				(db) => act(db, store, "readonly", (objects) => objects.getAll()),
				() => memory.all(store),
			),
		put: (store, key, value) =>
			use(
				async (db) => void (await act(db, store, "readwrite", (objects) => objects.put(value, key))),
				() => memory.put(store, key, value),
			),
		delete: (store, key) =>
			use(
				async (db) => void (await act(db, store, "readwrite", (objects) => objects.delete(key))),
				() => memory.delete(store, key),
			),
		clear: (stores = STORES) =>
			use(
				async (db) => {
					for (const store of stores) await act(db, store, "readwrite", (objects) => objects.clear());
				},
				() => memory.clear(stores),
			),
	};
}

function openDatabase(): Promise<IDBDatabase> {
	return new Promise((resolve, reject) => {
		const request = indexedDB.open(NAME, VERSION);
		request.onupgradeneeded = () => {
			for (const store of STORES) if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store);
		};
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error ?? new DOMException("The browser's storage did not open.", "UnknownError"));
		request.onblocked = () => reject(new DOMException("The browser's storage is held by another tab.", "InvalidStateError"));
	});
}
