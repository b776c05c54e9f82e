import { useEffect } from "react";
import { useActions, useApp } from "../state/use-page.tsx";

/** The agents of this server, asked for when the first part of the page needs them. */
export function useAgents() {
	const { loadAgents } = useActions();
	const connected = useApp((state) => state.connection.kind === "open");
	const agents = useApp((state) => state.agents);
	useEffect(() => {
		if (connected && agents === undefined) void loadAgents();
	}, [connected, agents, loadAgents]);
	return agents;
}
