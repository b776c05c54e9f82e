import { type ReactNode, useEffect } from "react";
import { settingsApi } from "../settings/settings-api.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { LazyView } from "../ui/lazy-view.tsx";

const loadSteps = () => import("./first-steps.tsx").then((module) => ({ View: module.FirstSteps }));

/** The first steps while they are due, else what is there otherwise. */
export function WelcomeSlot({ otherwise }: { otherwise: ReactNode }) {
	const setUi = useUiSet();
	const connected = useApp((state) => state.connection.kind === "open");
	const firstRun = useUi((state) => state.firstRun);
	useEffect(() => {
		if (!connected || firstRun !== undefined) return;
		let listening = true;
		settingsApi.settings().then(
			(settings) => listening && setUi({ firstRun: settings.firstRun }),
			// The steps are no reason to trouble anybody; the next connection asks again.
			() => undefined,
		);
		return () => {
			listening = false;
		};
	}, [connected, firstRun, setUi]);
	return firstRun === "due" ? <LazyView load={loadSteps} fallback={otherwise} /> : otherwise;
}
