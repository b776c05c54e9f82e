/** What people read when the runtime is not ready. */
export const healthMessage = {
	startFailed: (because: string) =>
		`The Copilot runtime did not start: ${sentence(because)} Run "npx rightseat doctor" to find the cause; it is tried again by itself.`,
	/** At boot, with a token: the process ends, so nothing is tried again. */
	neverStarted: (because: string) =>
		`The Copilot runtime did not start: ${sentence(because)} Rightseat does not start without it while GITHUB_TOKEN is set. Run "npx rightseat doctor" to find the cause.`,
	died: (because: string) =>
		`The Copilot runtime stopped in the middle of this turn (${because}). It is being restarted; send the message again to go on.`,
	tooLarge: (rssBytes: number) =>
		`it used ${Math.round(rssBytes / MEGABYTE)} MB of memory, more than RIGHTSEAT_RUNTIME_MAX_MEMORY_MB allows`,
	restarting: (because: string) => `The Copilot runtime is being restarted: ${sentence(because)}`,
	resting: (because: string) =>
		`The Copilot runtime failed five times within a minute and rests now: ${sentence(because)} Run "npx rightseat doctor", then try again. Conversations stay readable.`,
};

/** The same for `health()`: the sentence, its code and its values. */
export function sentenceOf(code: "runtime-restarting" | "runtime-resting", because: string) {
	const message = code === "runtime-resting" ? healthMessage.resting(because) : healthMessage.restarting(because);
	return { message, code, params: { because } };
}

const MEGABYTE = 1024 * 1024;
const MAX_REASON_CHARS = 300;

function sentence(because: string): string {
	const line = because.split("\n")[0]?.trim() ?? "";
	const short = line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}…` : line;
	return /[.!?…]$/.test(short) ? short : `${short}.`;
}
