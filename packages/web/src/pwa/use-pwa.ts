import { useEffect, useRef } from "react";
import { useLanguage } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { readWorkerMessage } from "./read-worker-message.ts";
import { registerServiceWorker, tellLanguage } from "./register-service-worker.ts";

/** Installs the service worker, opens the conversation whose notification was tapped, and tells the worker what is on screen. */
export function usePwa(): void {
	const { openConversation } = useActions();
	const openId = useApp((state) => state.openId);
	const latest = useRef(openId);
	latest.current = openId;
	const language = useLanguage();
	useEffect(() => {
		if ("serviceWorker" in navigator && import.meta.env.PROD) void tellLanguage(navigator.serviceWorker, language);
	}, [language]);
	useEffect(() => {
		if (!("serviceWorker" in navigator)) return;
		if (import.meta.env.PROD) void registerServiceWorker(navigator.serviceWorker);
		const onMessage = (event: MessageEvent<unknown>) => {
			const message = readWorkerMessage(event.data);
			if (message?.type === "open-conversation") openConversation(message.conversationId);
			if (message?.type === "looking-at") {
				event.ports[0]?.postMessage(document.visibilityState === "visible" && latest.current === message.conversationId);
			}
		};
		navigator.serviceWorker.addEventListener("message", onMessage);
		return () => navigator.serviceWorker.removeEventListener("message", onMessage);
	}, [openConversation]);
}
