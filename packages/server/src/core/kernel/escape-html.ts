const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it stands in HTML, also in an attribute; control characters that no reader shows are left out. */
export const escapeHtml = (text: string): string =>
	text
		.toWellFormed()
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "")
		.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
