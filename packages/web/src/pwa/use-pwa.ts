import { useEffect } from "react";
import { useActions } from "../state/use-page.tsx";
import { registerServiceWorker } from "./register-service-worker.ts";

/** Installs the service worker and opens the conversation whose notification was tapped. */
export function usePwa(): void {
	const { openConversation } = useActions();
	useEffect(() => {
		if (!("serviceWorker" in navigator)) return;
		if (import.meta.env.PROD) void registerServiceWorker(navigator.serviceWorker);
		const onMessage = (event: MessageEvent<unknown>) => {
			const id = conversationToOpen(event.data);
			if (id !== undefined) openConversation(id);
		};
		navigator.serviceWorker.addEventListener("message", onMessage);
		return () => navigator.serviceWorker.removeEventListener("message", onMessage);
	}, [openConversation]);
}

export function conversationToOpen(data: unknown): string | undefined {
	if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "open-conversation") return undefined;
	return "conversationId" in data && typeof data.conversationId === "string" ? data.conversationId : undefined;
}
