/**
 * The single-use code of a login link (`/#code=…`), taken out of the address at once: it must not stay in the history,
 * in a bookmark or in a copied address.
 */
export function takeLoginCode(
	place: { hash: string; pathname: string; search: string },
	history: Pick<History, "replaceState">,
): string | undefined {
	const code = new URLSearchParams(place.hash.replace(/^#/, "")).get("code");
	if (code === null || code === "") return undefined;
	history.replaceState({ loginLink: true }, "", `${place.pathname}${place.search}`);
	return code;
}

/** This page was opened by a login link; if the form is shown all the same, the link did not work. */
export function cameByLoginLink(state: unknown): boolean {
	return typeof state === "object" && state !== null && "loginLink" in state && state.loginLink === true;
}
