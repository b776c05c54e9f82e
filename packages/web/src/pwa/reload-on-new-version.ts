const KEY = "rightseat:reloaded";
/** Not more often than this, so that a part that is really missing cannot reload the page for ever. */
export const RELOAD_PAUSE_MS = 30_000;

export interface ReloadDeps {
	storage: Pick<Storage, "getItem" | "setItem">;
	now: () => number;
	reload: () => void;
}

/** After an update of the server the parts of an open page have new names; loading the page anew finds them. Drafts survive that. */
export function reloadOnNewVersion(target: Pick<EventTarget, "addEventListener" | "removeEventListener">, deps: ReloadDeps): () => void {
	const onMissingPart = (event: Event) => {
		const last = Number(deps.storage.getItem(KEY) ?? 0);
		if (deps.now() - last < RELOAD_PAUSE_MS) return;
		event.preventDefault();
		deps.storage.setItem(KEY, String(deps.now()));
		deps.reload();
	};
	target.addEventListener("vite:preloadError", onMissingPart);
	return () => target.removeEventListener("vite:preloadError", onMissingPart);
}
