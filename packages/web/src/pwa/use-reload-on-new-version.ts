import { useEffect } from "react";
import { reloadOnNewVersion } from "./reload-on-new-version.ts";

/** For as long as the page is there, logged in or not: the login form is a part that an update renames, too. */
export function useReloadOnNewVersion(): void {
	useEffect(() => reloadOnNewVersion(window, { storage: sessionStorage, now: Date.now, reload: () => location.reload() }), []);
}
