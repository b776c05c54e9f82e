import { fingerprint } from "../../../core/kernel/fingerprint.ts";

/** Calls known to have run; each costs some hundred bytes. */
export const MAX_CALLS = 1_024;
/** Results kept for a second delivery, which comes within milliseconds of the first. */
export const MAX_RESULT_BYTES = 262_144;

/** Runs each call of our tools once per session, however often and in whatever order the runtime delivers and announces it. */
export interface RunOnce<T> {
	/** The runtime asks for a call. All deliveries of one call share a request id; ids of calls may come again, since some models reuse them. */
	requested(request: { requestId: string; toolCallId: string }): void;
	/** Runs `work`, or gives the result of its first run again. */
	run(call: { toolCallId: string; toolName: string; arguments: unknown }, work: () => Promise<T>): Promise<T>;
	/** What the kept results weigh now. */
	readonly bytes: number;
}

type Call<T> = { at: "running"; result: Promise<T> } | { at: "done"; result: Promise<T>; bytes: number } | { at: "forgotten" };

export interface RunOnceDeps<T> {
	sizeOf(result: T): number;
	/** Answers a delivery of a call whose result is no longer kept; the runtime has had the real one. */
	forgotten(): T;
}

/** The runtime delivers a sub-agent's call of our tools twice; unless it is remembered, a fast tool runs twice. */
export function createRunOnce<T>(deps: RunOnceDeps<T>): RunOnce<T> {
	const calls = new Map<string, Call<T>>();
	/** The latest request for each tool call id. Both ids are kept as fingerprints, because models choose their length. */
	const requests = new Map<string, string>();
	let bytes = 0;

	function settle(key: string, result: Promise<T>, size: number) {
		if (!calls.has(key)) return;
		calls.set(key, { at: "done", result, bytes: size });
		bytes += size;
		for (const [oldest, call] of calls) {
			if (bytes <= MAX_RESULT_BYTES) break;
			if (call.at !== "done") continue;
			bytes -= call.bytes;
			calls.set(oldest, { at: "forgotten" });
		}
		for (const [oldest, call] of calls) {
			if (calls.size <= MAX_CALLS) break;
			if (call.at === "running") continue;
			if (call.at === "done") bytes -= call.bytes;
			calls.delete(oldest);
		}
	}

	function begin(key: string, work: () => Promise<T>): Promise<T> {
		const result = work();
		calls.set(key, { at: "running", result });
		result.then(
			(value) => settle(key, result, deps.sizeOf(value)),
			() => settle(key, result, 0),
		);
		return result;
	}

	return {
		get bytes() {
			return bytes;
		},
		requested({ requestId, toolCallId }) {
			const id = fingerprint(toolCallId);
			requests.delete(id);
			requests.set(id, fingerprint(requestId));
			for (const oldest of requests.keys()) {
				if (requests.size <= MAX_CALLS) break;
				requests.delete(oldest);
			}
		},
		async run(call, work) {
			// The SDK starts the tool before it passes on the request that asks for it, within the same tick.
			await Promise.resolve();
			const id = fingerprint(call.toolCallId);
			const key = `${requests.get(id) ?? id} ${fingerprint(`${call.toolName} ${JSON.stringify(call.arguments)}`)}`;
			const known = calls.get(key);
			if (known === undefined) return begin(key, work);
			return known.at === "forgotten" ? deps.forgotten() : known.result;
		},
	};
}
