/** Writes into the browser's storage. Full or closed, it costs what was to be kept and nothing else: false, and a line in the console. */
export function writeStorage(storage: Pick<Storage, "setItem">, key: string, value: string): boolean {
	try {
		storage.setItem(key, value);
		return true;
	} catch (error) {
		console.warn("This browser's storage is full or closed; something is not kept over a reload.", error);
		return false;
	}
}
