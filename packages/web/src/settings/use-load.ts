import { useCallback, useEffect, useRef, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";

export type Loaded<T> = { kind: "loading" } | { kind: "ready"; value: T } | { kind: "failed"; message: string };

/** Loads once when shown and again on `reload`; what was there stays until the new answer comes. */
export function useLoad<T>(load: () => Promise<T>): { loaded: Loaded<T>; reload: () => Promise<void>; set: (value: T) => void } {
	const [loaded, setLoaded] = useState<Loaded<T>>({ kind: "loading" });
	const latest = useRef(load);
	latest.current = load;
	const say = useFailureText();
	const sayNow = useRef(say);
	sayNow.current = say;
	const mounted = useRef(true);
	const reload = useCallback(async () => {
		try {
			const value = await latest.current();
			if (mounted.current) setLoaded({ kind: "ready", value });
		} catch (error) {
			if (mounted.current) setLoaded({ kind: "failed", message: sayNow.current(error) });
		}
	}, []);
	useEffect(() => {
		mounted.current = true;
		void reload();
		return () => {
			mounted.current = false;
		};
	}, [reload]);
	return { loaded, reload, set: useCallback((value: T) => setLoaded({ kind: "ready", value }), []) };
}
