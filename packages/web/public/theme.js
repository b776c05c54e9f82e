// Runs before the first paint: a page that turns dark after it was drawn light flashes in the face of its reader.
(() => {
	let choice = "system";
	try {
		choice = JSON.parse(localStorage.getItem("rightseat:settings") ?? "{}").theme ?? "system";
	} catch {
		choice = "system";
	}
	const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
