import { COPILOT, openAgent } from "./agent.ts";
import { useUi } from "./ui-slice.tsx";
import { useApp } from "./use-page.tsx";

/** The agent that the next prompt goes to: of the conversation on screen, or of the one that it begins. */
export function useAgent(): string {
	const newAgent = useUi((state) => state.newAgent);
	return useApp((state) => openAgent(state) ?? newAgent ?? state.agents?.default ?? COPILOT);
}
