import type { ComponentType, ReactNode } from "react";
import { useLazy } from "./use-lazy.ts";

/** A part of the page whose code comes when it is needed. `load` must be the same function at every render. */
export function LazyView({ load, fallback = null }: { load: () => Promise<{ View: ComponentType }>; fallback?: ReactNode }) {
	const code = useLazy(load, "now");
	return code === undefined ? fallback : <code.View />;
}
