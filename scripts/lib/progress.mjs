const TICK_MS = 5_000;

/** @param {number} startedAt */
export const elapsed = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/**
 * Says what is going on, again every few seconds, and how long it took. Everything goes to standard error: standard output belongs to the server.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 */
export async function withProgress(title, work) {
	const startedAt = Date.now();
	console.error(`${title} …`);
	const timer = setInterval(() => console.error(`${title} … ${elapsed(startedAt)}`), TICK_MS);
	try {
		const result = await work();
		console.error(`${title}: done in ${elapsed(startedAt)}`);
		return result;
	} finally {
		clearInterval(timer);
	}
}

/** Something a person can act on: printed as it is, without a stack. */
export class Trouble extends Error {
	/** @param {string} message @param {number} [exitCode] */
	constructor(message, exitCode = 1) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** @param {() => Promise<unknown>} main */
export async function runScript(main) {
	try {
		await main();
	} catch (error) {
		console.error(error instanceof Trouble ? error.message : error);
		process.exit(error instanceof Trouble ? error.exitCode : 1);
	}
}
