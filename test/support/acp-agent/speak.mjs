// What every command of a turn needs: words, updates, and waiting that a stop ends.

/** @typedef {import("./turn.mjs").Turn} Turn */

/** Ends the turn as a stopped one. */
export class Cancelled extends Error {}

/** @param {Turn} turn @param {unknown} update */
export function update(turn, update) {
	turn.wire.notify("session/update", { sessionId: turn.session.id, update });
}

/** Words of the answer, one message until a tool comes between. @param {Turn} turn @param {string} text */
export function say(turn, text) {
	turn.said += text;
	update(turn, { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: turn.messageId });
}

/** @param {Turn} turn @param {number} ms */
export async function pause(turn, ms) {
	await race(turn, new Promise((resolve) => setTimeout(resolve, ms)));
}

/** Waits for something, or until the turn is stopped. @template T @param {Turn} turn @param {Promise<T>} work @returns {Promise<T>} */
export function race(turn, work) {
	if (turn.onCancel === "ignore") return work;
	return new Promise((resolve, reject) => {
		const stop = () => reject(new Cancelled());
		if (turn.stop.signal.aborted) stop();
		turn.stop.signal.addEventListener("abort", stop, { once: true });
		work.then(resolve, reject).finally(() => turn.stop.signal.removeEventListener("abort", stop));
	});
}
