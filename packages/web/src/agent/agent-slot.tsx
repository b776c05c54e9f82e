import { COPILOT, openAgent } from "../state/agent.ts";
import { useApp } from "../state/use-page.tsx";
import { useLazy } from "../ui/use-lazy.ts";

const loadPicker = () => import("./agent-picker.tsx").then((module) => ({ View: module.AgentPicker }));
const loadBadge = () => import("./agent-badge.tsx").then((module) => ({ View: module.AgentBadge }));

/** Where the agent of a new conversation is chosen. Nothing of it is in the first load. */
export function NewAgent() {
	const picker = useLazy(loadPicker, "idle");
	return picker === undefined ? null : <picker.View />;
}

const loadOptions = () => import("./agent-options.tsx").then((module) => ({ View: module.AgentOptions }));

/** How the agent works that the next prompt goes to, where it offers a choice. */
export function AgentOptions() {
	const options = useLazy(loadOptions, "idle");
	return options === undefined ? null : <options.View />;
}

/** The agent of the conversation on screen, where it is another one than Copilot. */
export function OpenAgent() {
	const other = useApp((state) => (openAgent(state) ?? COPILOT) !== COPILOT);
	return other ? <Badge /> : null;
}

function Badge() {
	const badge = useLazy(loadBadge, "idle");
	return badge === undefined ? null : <badge.View />;
}
