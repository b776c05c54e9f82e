import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
	return useSyncExternalStore(
		(changed) => {
			const media = matchMedia(query);
			media.addEventListener("change", changed);
			return () => media.removeEventListener("change", changed);
		},
		() => matchMedia(query).matches,
	);
}

/** Wide enough for the list beside the conversation. */
export const useWide = () => useMedia("(min-width: 900px)");
