/**
 * Output of commands as it may be shown: terminal sequences are gone, and characters that hide or turn text around are
 * spelled out, so that nobody reads something else than what is there.
 */
export function visibleText(text: string): string {
	return (
		text
			// Only a title or link that ends on its line: an open one must not swallow the text behind it.
			.replace(/\u001B\][^\n\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)/g, "")
			.replace(/[\u001B\u009B][[()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g, "")
			.replace(/\r\n/g, "\n")
			.replace(/\r/g, "\n")
			.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, "")
			.replace(
				/[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu,
				(hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
			)
	);
}
