import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/**
 * A part of the page whose code comes when it is needed. `load` must be the same function at every drawing.
 * Not React's `lazy`: where it has drawn a fallback once, React holds the finished part back for 300 ms.
 */
export function Part({ load, fallback = null }: { load: () => Promise<ComponentType>; fallback?: ReactNode }) {
	const [found, setFound] = useState<{ View: ComponentType } | { error: unknown }>();
	useEffect(() => {
		let listening = true;
		load().then(
			(View) => listening && setFound({ View }),
			(error: unknown) => listening && setFound({ error }),
		);
		return () => {
			listening = false;
		};
	}, [load]);
	if (found === undefined) return fallback;
	if ("error" in found) throw found.error;
	return <found.View />;
}
