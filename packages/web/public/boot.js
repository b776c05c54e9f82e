// Runs before the first paint and while the page's code is still on its way.
(() => {
	const read = (name) => {
		try {
			return JSON.parse(localStorage.getItem(name) ?? "{}");
		} catch {
			return {};
		}
	};
	const settings = read("rightseat:settings");
	// A page that turns dark after it was drawn light flashes in the face of its reader.
	const dark = settings.theme === "dark" || (settings.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	// Whether somebody is logged in is the first thing the page needs to know; a login link answers it by itself.
	if (!location.hash.includes("code=")) {
		window.rightseatProbe = fetch("/api/conversations?limit=1", { credentials: "same-origin", signal: AbortSignal.timeout(8000) }).then(
			(response) => {
				response.body?.cancel();
				return response.status === 401 ? "signed-out" : "ok";
			},
			() => "unreachable",
		);
	}

	// The box in which a person can write before the page's code has come; what stands in it then goes on in the real one.
	const prepare = () => {
		const frame = document.getElementById("early");
		const box = frame?.querySelector("textarea");
		if (!box) return;
		if (settings.sidebar === false) frame.querySelector(".early-list")?.remove();
		const draft = read("rightseat:drafts")[/^\/c\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "new"]?.text;
		if (typeof draft === "string" && box.value === "") box.value = draft;
		box.addEventListener("compositionstart", () => {
			box.dataset.composing = "";
		});
		box.addEventListener("compositionend", () => {
			delete box.dataset.composing;
		});
		box.addEventListener("keydown", (event) => {
			// Code 229: Safari ends a composition before the Enter that confirmed it arrives.
			const plain = !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229;
			if (event.key !== "Enter" || !plain) return;
			event.preventDefault();
			if (box.value.trim() === "") return;
			box.dataset.send = "";
			box.readOnly = true;
		});
	};
	// "interactive" comes before the page's own code runs, "DOMContentLoaded" after it.
	if (document.readyState === "loading") document.addEventListener("readystatechange", prepare, { once: true });
	else prepare();
})();
