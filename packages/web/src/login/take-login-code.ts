/**
 * The single-use code of a login link (`/#code=…`), taken out of the address at once: it must not stay in the history,
 * in a bookmark or in a copied address.
 */
export function takeLoginCode(
	place: { hash: string; pathname: string; search: string },
	history: Pick<History, "replaceState">,
): string | undefined {
	const link = new URLSearchParams(place.hash.replace(/^#/, ""));
	const code = link.get("code");
	if (code === null || code === "") return undefined;
	history.replaceState(
		link.has("paired") ? { loginLink: true, paired: true } : { loginLink: true },
		"",
		`${place.pathname}${place.search}`,
	);
	return code;
}

/** This page was opened by a login link; if the form is shown all the same, the link did not work. */
export function cameByLoginLink(state: unknown): boolean {
	return typeof state === "object" && state !== null && "loginLink" in state && state.loginLink === true;
}

/** This page was opened by the code of `rightseat pair`. */
export const cameByPairing = (state: unknown): boolean => cameByLoginLink(state) && Object(state).paired === true;
