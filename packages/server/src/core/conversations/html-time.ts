import { escapeHtml } from "../kernel/escape-html.ts";
import type { HtmlLanguage } from "./html-words.ts";

/** Times as people say them, all in one zone that the page names. */
export interface HtmlTime {
	/** Such as `Asia/Taipei (GMT+8)`. */
	readonly zone: string;
	/** Of a time in ISO form. */
	tag(iso: string): string;
}

export function createHtmlTime(language: HtmlLanguage, timeZone?: string): HtmlTime {
	const format = new Intl.DateTimeFormat(language, {
		dateStyle: "medium",
		timeStyle: "short",
		...(timeZone === undefined ? {} : { timeZone }),
	});
	const named = new Intl.DateTimeFormat(language, { timeZoneName: "short", ...(timeZone === undefined ? {} : { timeZone }) });
	const short = named.formatToParts().find(({ type }) => type === "timeZoneName")?.value;
	const zone = format.resolvedOptions().timeZone;
	return {
		zone: short === undefined || short === zone ? zone : `${zone} (${short})`,
		tag(iso) {
			const at = new Date(iso);
			const said = Number.isNaN(at.getTime()) ? iso : format.format(at);
			return `<time datetime="${escapeHtml(iso)}">${escapeHtml(said)}</time>`;
		},
	};
}
