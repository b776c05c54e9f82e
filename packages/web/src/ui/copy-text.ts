/** False when the browser refuses, as it does without https on another machine's address. */
export async function copyText(text: string): Promise<boolean> {
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
