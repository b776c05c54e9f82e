/** False when the browser refuses, as it does without https on another machine's address, and when there is no text. */
export function copyText(text: string | Promise<string | undefined>): Promise<boolean> {
	return typeof text === "string" ? copyNow(text) : copyLater(text);
}

/** A browser that lets a page write only during the click takes the promise of a text then; for others the text is awaited. */
async function copyLater(coming: Promise<string | undefined>): Promise<boolean> {
	const found = coming.then((text) => text ?? Promise.reject(new NothingToCopy()));
	try {
		await navigator.clipboard.write([new ClipboardItem({ "text/plain": found })]);
		return true;
	} catch {
		return found.then(copyNow, () => false);
	}
}

class NothingToCopy extends TypeError {}

async function copyNow(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

function copyBySelection(text: string): boolean {
	const area = document.createElement("textarea");
	area.value = text;
	area.className = "fixed opacity-0";
	(document.querySelector("dialog[open]") ?? document.body).append(area);
	area.select();
	const worked = document.execCommand("copy");
	area.remove();
	return worked;
}
