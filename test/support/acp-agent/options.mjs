// The options of a session: how it decides on permissions, which model, how hard it thinks.

/** `default` asks a person, `plan` changes nothing, `bypassPermissions` asks nobody. */
export const MODES = [
	{ value: "default", name: "Ask before changes" },
	{ value: "plan", name: "Plan only" },
	{ value: "bypassPermissions", name: "Never ask" },
];
const MODELS = [
	{ value: "small", name: "Small model" },
	{ value: "large", name: "Large model" },
];
const EFFORTS = [
	{ value: "low", name: "Low" },
	{ value: "high", name: "High" },
];

/** @param {Record<string, string | boolean>} current */
export const configOptions = ({ mode, model, effort, fast }) => [
	{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: mode, options: MODES },
	{ id: "model", name: "Model", category: "model", type: "select", currentValue: model, options: MODELS },
	// As with opencode: another model may take an option away.
	...(model === "large"
		? [{ id: "effort", name: "Effort", category: "thought_level", type: "select", currentValue: effort, options: EFFORTS }]
		: []),
	{ id: "fast", name: "Fast", type: "boolean", currentValue: fast },
];

/** False: there is no such option or value. @param {Record<string, string | boolean>} current @param {string} id @param {unknown} value */
export function setOption(current, id, value) {
	const option = configOptions(current).find((one) => one.id === id);
	if (option === undefined) return false;
	if (typeof value !== "string" && typeof value !== "boolean") return false;
	if (option.options === undefined ? typeof value !== "boolean" : !option.options.some((one) => one.value === value)) return false;
	current[id] = value;
	return true;
}
