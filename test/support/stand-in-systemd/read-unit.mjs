import { readFileSync } from "node:fs";

/**
 * Reads a unit as systemd does, as far as ours go: sections, the last value of a key, words in double quotes, `%%`, `$$`.
 * @param {string} file
 */
export function readUnit(file) {
	/** @type {Map<string, string>} */
	const values = new Map();
	for (const line of readFileSync(file, "utf8").split("\n")) {
		const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
		if (key !== undefined && value !== undefined) values.set(key, value.replaceAll("%%", "%"));
	}
	const get = (/** @type {string} */ key) => values.get(key) ?? "";
	const seconds = (/** @type {string} */ key) => Number(/^(\d+)s$/.exec(get(key))?.[1] ?? 0);
	return {
		words: wordsIn(get("ExecStart")),
		cwd: get("WorkingDirectory"),
		output: get("StandardOutput").replace(/^append:/, ""),
		restarts: get("Restart") === "on-failure",
		restartMs: seconds("RestartSec") * 1_000,
		stopMs: seconds("TimeoutStopSec") * 1_000,
		neverAfter: get("RestartPreventExitStatus").split(" ").map(Number),
	};
}

/** @param {string} line */
const wordsIn = (line) =>
	[...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, word = ""]) => word.replaceAll(/\\(.)/g, "$1").replaceAll("$$", "$"));
