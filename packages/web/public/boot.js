// Runs before the first paint and while the page's code is still on its way.
(() => {
	// A page that turns dark after it was drawn light flashes in the face of its reader.
	let choice = "system";
	try {
		choice = JSON.parse(localStorage.getItem("rightseat:settings") ?? "{}").theme ?? "system";
	} catch {
		choice = "system";
	}
	const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	// Whether somebody is logged in is the first thing the page needs to know; a login link answers it by itself.
	if (!location.hash.includes("code=")) {
		window.rightseatProbe = fetch("/api/conversations?limit=1", { credentials: "same-origin" }).then(
			(response) => {
				response.body?.cancel();
				return response.status === 401 ? "signed-out" : "ok";
			},
			() => "unreachable",
		);
	}
})();
