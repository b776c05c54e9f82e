import { probe } from "../api/probe.ts";
import { composerIntent } from "../composer/box/composer-keys.ts";
import { DRAFTS_KEY, draftText, NEW_DRAFT, withDraftText } from "../composer/box/draft-format.ts";
import { conversationOf } from "../state/conversation-path.ts";
import { SETTINGS_KEY, themeOf } from "../state/kept-settings.ts";

// Runs before the first paint and while the page's code is still on its way. Built into one classic script, `/boot.js`:
// whatever it imports delays the first paint, so it imports only modules without a schema or a library.
const settings = new Map(Object.entries(read(SETTINGS_KEY)));
const place = conversationOf(location.pathname) ?? NEW_DRAFT;

// A page that turns dark after it was drawn light flashes in the face of its reader.
document.documentElement.dataset.theme = themeOf(settings.get("theme"), matchMedia("(prefers-color-scheme: dark)").matches);
// Whether somebody is logged in is the first thing the page needs to know; a login link answers it by itself.
if (!location.hash.includes("code=")) window.rightseatProbe = probe();
listenToBox();
window.addEventListener("pagehide", keepDraft);
// "interactive" comes before the page's own code runs, "DOMContentLoaded" after it.
if (document.readyState === "loading") document.addEventListener("readystatechange", prepareBox, { once: true });
else prepareBox();

/** The box in which a person can write before the page's code has come; what stands in it then goes on in the real one. */
function prepareBox(): void {
	const box = findBox();
	if (box === null) return;
	if (settings.get("sidebar") === false) document.querySelector("#early .early-list")?.remove();
	// An Enter that came before this code became the end of a line.
	if (box.value.trim() !== "" && box.value.endsWith("\n")) {
		box.value = box.value.trimEnd();
		send(box);
	}
	if (box.value === "") box.value = draftText(read(DRAFTS_KEY), place) ?? "";
	// Empty from now on means emptied by somebody.
	box.dataset.ready = "";
}

/** On the document, which is there before the box: whoever is quick writes while the rest of the page is still being read. */
function listenToBox(): void {
	onBox("compositionstart", (box) => {
		box.dataset.composing = "";
	});
	onBox("compositionend", (box) => {
		delete box.dataset.composing;
	});
	onBox("keydown", (box, event) => {
		if (event.key !== "Enter" || composerIntent(event, { listOpen: false }) !== "send") return;
		event.preventDefault();
		if (box.value.trim() !== "") send(box);
	});
}

function onBox<K extends keyof DocumentEventMap>(type: K, act: (box: HTMLTextAreaElement, event: DocumentEventMap[K]) => void): void {
	document.addEventListener(
		type,
		(event) => {
			const box = findBox();
			if (box !== null && event.target === box) act(box, event);
		},
		true,
	);
}

/** Carried out by the real box; until then nothing may be added. */
function send(box: HTMLTextAreaElement): void {
	box.dataset.send = "";
	box.readOnly = true;
}

/** A page that is left before its code has come keeps what was written as the draft. */
function keepDraft(): void {
	const text = findBox()?.value ?? "";
	if (text.trim() === "") return;
	try {
		localStorage.setItem(DRAFTS_KEY, JSON.stringify(withDraftText(read(DRAFTS_KEY), place, { text, at: Date.now() })));
	} catch (error) {
		console.warn("This draft could not be kept.", error);
	}
}

function findBox(): HTMLTextAreaElement | null {
	return document.querySelector<HTMLTextAreaElement>("#early textarea");
}

function read(key: string): object {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
		return typeof kept === "object" && kept !== null ? kept : {};
	} catch {
		// Storage that is blocked or damaged costs what it held, never the page.
		return {};
	}
}
