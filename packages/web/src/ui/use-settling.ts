import { useLayoutEffect, useRef, useState } from "react";

/** Shorter than anybody reads and presses, longer than the second press of a double click. */
export const SETTLING_MS = 400;

/**
 * True for a moment after one of these has come or gone. What stands where another one stood a moment ago is not what was meant by whoever presses
 * there: they would allow what they have not read.
 */
export function useSettling(ids: readonly string[]): boolean {
	const all = ids.join(" ");
	const before = useRef(all);
	const [isSettling, setSettling] = useState(false);
	useLayoutEffect(() => {
		if (before.current === all) return;
		before.current = all;
		setSettling(true);
		const timer = setTimeout(() => setSettling(false), SETTLING_MS);
		return () => clearTimeout(timer);
	}, [all]);
	return isSettling;
}
