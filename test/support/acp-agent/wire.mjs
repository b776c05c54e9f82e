// JSON-RPC 2.0 over lines, as the Agent Client Protocol speaks it on standard input and output.

/**
 * @typedef {{ jsonrpc?: string, id?: number | string | null, method?: string, params?: unknown, result?: unknown, error?: { code: number, message: string } }} Message
 * @typedef {ReturnType<typeof createWire>} Wire
 */

/** An answer that is an error, with its code. */
export class RpcError extends Error {
	/** @param {number} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/**
 * Reads requests from standard input and hands them to `handle`; whatever it throws becomes an error response.
 * @param {{ handle: (method: string, params: unknown, id: number | string | undefined) => unknown, ended: () => void }} host
 */
export function createWire({ handle, ended }) {
	/** @type {Map<number | string, { resolve: (value: unknown) => void, reject: (error: Error) => void }>} */
	const open = new Map();
	let lastId = 0;
	let rest = "";
	let broken = false;
	/** @type {Promise<void> | undefined} */
	let busy;

	process.stdin.setEncoding("utf8");
	process.stdin.on("data", (text) => {
		rest += text;
		for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
			const line = rest.slice(0, end);
			rest = rest.slice(end + 1);
			if (line.trim() !== "") receive(JSON.parse(line));
		}
	});
	process.stdin.on("end", ended);
	// The client is gone: a write that fails is no reason to die before whatever is being played.
	process.stdout.on("error", () => {
		broken = true;
	});

	/** @param {Message} message */
	function receive(message) {
		if (message.method === undefined) return settle(message);
		const { id, method, params } = message;
		void answer(id ?? undefined, method, params);
	}

	/** @param {Message} message */
	function settle({ id, result, error }) {
		if (id === undefined || id === null) return;
		const waiting = open.get(id);
		open.delete(id);
		if (error !== undefined) waiting?.reject(new RpcError(error.code, error.message));
		else waiting?.resolve(result);
	}

	/** @param {number | string | undefined} id @param {string} method @param {unknown} params */
	async function answer(id, method, params) {
		try {
			const result = await handle(method, params, id);
			if (id !== undefined && result !== undefined) send({ id, result });
		} catch (error) {
			if (id === undefined) return;
			const code = error instanceof RpcError ? error.code : -32603;
			send({ id, error: { code, message: error instanceof Error ? error.message : String(error) } });
		}
	}

	/** @param {Message} message */
	function send(message) {
		void raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	}

	/** Writes bytes as they are. Resolves when the pipe took them. @param {string | Uint8Array} bytes @returns {Promise<void>} */
	function raw(bytes) {
		if (busy === undefined) return write(bytes);
		return busy.then(() => write(bytes));
	}

	/** @param {string | Uint8Array} bytes @returns {Promise<void>} */
	function write(bytes) {
		if (broken) return Promise.resolve();
		return new Promise((resolve) => process.stdout.write(bytes, () => resolve()));
	}

	/** Writes piece by piece; whatever else is said meanwhile comes after it. @param {Uint8Array[]} pieces */
	async function drip(pieces) {
		/** @type {() => void} */
		let done = () => undefined;
		busy = new Promise((resolve) => {
			done = () => resolve(undefined);
		});
		for (const piece of pieces) {
			await write(piece);
			await new Promise((resolve) => setImmediate(resolve));
		}
		busy = undefined;
		done();
	}

	/** @param {string} method @param {unknown} params @returns {{ id: number, answer: Promise<unknown> }} */
	function request(method, params) {
		lastId += 1;
		const id = lastId;
		const answer = new Promise((resolve, reject) => open.set(id, { resolve, reject }));
		send({ id, method, params });
		return { id, answer };
	}

	/** @param {string} method @param {unknown} params */
	const notify = (method, params) => send({ method, params });

	/** Takes a request back, as Claude Code does with an open permission. @param {number} id */
	function withdraw(id) {
		open.get(id)?.reject(new RpcError(-32800, "Request cancelled"));
		open.delete(id);
		notify("$/cancel_request", { requestId: id });
	}

	return { send, raw, drip, request, notify, withdraw };
}
