import type { ComponentType, ReactNode } from "react";
import { useCode } from "./use-lazy.ts";

/** A part of the page whose code comes when it is needed. `load` must be the same function at every drawing. */
export function Part({ load, fallback = null }: { load: () => Promise<{ View: ComponentType }>; fallback?: ReactNode }) {
	const code = useCode(load, "now");
	return code === undefined ? fallback : <code.View />;
}
