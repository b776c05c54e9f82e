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
				if (response.status === 401) {
					const isRevoked = (body) => (body?.error?.code === "login-revoked" ? "revoked" : "signed-out");
					return response.json().then(isRevoked, () => "signed-out");
				}
				response.body?.cancel();
				return "ok";
			},
			() => "unreachable",
		);
	}

	const place = /^\/c\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "new";
	// The box in which a person can write before the page's code has come; what stands in it then goes on in the real one.
	const prepare = () => {
		const frame = document.getElementById("early");
		const box = frame?.querySelector("textarea");
		if (!box) return;
		if (settings.sidebar === false) frame.querySelector(".early-list")?.remove();
		const draft = read("rightseat:drafts")[place]?.text;
		// An Enter that came before this code became the end of a line.
		if (box.value.trim() !== "" && box.value.endsWith("\n")) {
			box.value = box.value.trimEnd();
			box.dataset.send = "";
			box.readOnly = true;
		}
		if (typeof draft === "string" && box.value === "") box.value = draft;
	};
	// On the document, which is there before the box: whoever is quick writes while the rest of the page is still being read.
	const inBox = (type, act) =>
		document.addEventListener(
			type,
			(event) => {
				const box = event.target.closest?.("#early textarea");
				if (box) act(box, event);
			},
			true,
		);
	inBox("compositionstart", (box) => {
		box.dataset.composing = "";
	});
	inBox("compositionend", (box) => {
		delete box.dataset.composing;
	});
	inBox("keydown", (box, event) => {
		// Code 229: Safari ends a composition before the Enter that confirmed it arrives.
		const plain = !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229;
		if (event.key !== "Enter" || !plain) return;
		event.preventDefault();
		if (box.value.trim() === "") return;
		box.dataset.send = "";
		box.readOnly = true;
	});
	// A page that is left before its code has come keeps what was written as the draft.
	window.addEventListener("pagehide", () => {
		const text = document.querySelector("#early textarea")?.value ?? "";
		if (text.trim() === "") return;
		const drafts = read("rightseat:drafts");
		try {
			localStorage.setItem(
				"rightseat:drafts",
				JSON.stringify({ ...drafts, [place]: { attachments: [], ...drafts[place], text, at: Date.now() } }),
			);
		} catch (error) {
			console.warn("This draft could not be kept.", error);
		}
	});
	// "interactive" comes before the page's own code runs, "DOMContentLoaded" after it.
	if (document.readyState === "loading") document.addEventListener("readystatechange", prepare, { once: true });
	else prepare();
})();
