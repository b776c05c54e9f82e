import { isRecord, listOf, type Params, recordOf, textOf } from "./params.ts";
import { badRequest } from "./refusal.ts";

export const MAX_TEXT = 4096;
export const MAX_CAPTION = 1024;
const MAX_ENTITIES = 100;
const ALONE = new Set(["code", "pre"]);

export interface Entity {
	type: string;
	offset: number;
	length: number;
	url?: string;
	language?: string;
}
export interface Button {
	text: string;
	callbackData?: string;
	url?: string;
}
export interface CheckedText {
	text: string;
	entities: Entity[];
}

/** Text and entities as Telegram takes them: trimmed, bounded, entities inside the text and nested only where allowed. */
export function checkText(params: Params, field: "text" | "caption"): CheckedText {
	const raw = textOf(params, field) ?? "";
	const limit = field === "text" ? MAX_TEXT : MAX_CAPTION;
	const entities = entitiesOf(params, field === "text" ? "entities" : "caption_entities", raw);
	if (textOf(params, "parse_mode") !== undefined) throw badRequest("can't parse entities: this emulator takes entities only");
	if (loneSurrogate(raw)) throw badRequest("strings must be encoded in UTF-8");
	const text = raw.trim();
	if (field === "text" && text === "") throw badRequest("message text is empty");
	if (text.length > limit) throw badRequest(field === "text" ? "message is too long" : "message caption is too long");
	return { text, entities: entities.slice(0, MAX_ENTITIES) };
}

function entitiesOf(params: Params, name: string, text: string): Entity[] {
	const entities: Entity[] = [];
	for (const value of listOf(params, name) ?? []) {
		if (!isRecord(value)) throw badRequest("can't parse MessageEntity: Object expected");
		const { type, offset, length, url, language } = value;
		if (typeof type !== "string" || typeof offset !== "number" || typeof length !== "number") {
			throw badRequest("can't parse MessageEntity: Field is missing");
		}
		if (offset < 0 || length <= 0 || offset + length > text.length) {
			throw badRequest(`entity ${type} at offset ${offset} with length ${length} is out of bounds`);
		}
		if (splitsPair(text, offset) || splitsPair(text, offset + length)) {
			throw badRequest(`entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol`);
		}
		if (type === "text_link" && !(typeof url === "string" && /^(https?|tg|mailto):/.test(url))) {
			throw badRequest(`Wrong HTTP URL in entity: ${String(url)}`);
		}
		entities.push({ type, offset, length, ...(typeof url === "string" && { url }), ...(typeof language === "string" && { language }) });
	}
	refuseOverlaps(entities);
	return entities;
}

function refuseOverlaps(entities: Entity[]): void {
	for (const [index, a] of entities.entries()) {
		for (const b of entities.slice(index + 1)) {
			const apart = a.offset + a.length <= b.offset || b.offset + b.length <= a.offset;
			if (apart) continue;
			const inside = contains(a, b) || contains(b, a);
			const quoted = a.type === "blockquote" || b.type === "blockquote";
			if (!inside || a.type === b.type || ((ALONE.has(a.type) || ALONE.has(b.type)) && !quoted)) {
				throw badRequest(`entities ${a.type} and ${b.type} at offset ${b.offset} can't be nested`);
			}
		}
	}
}

const contains = (a: Entity, b: Entity) => a.offset <= b.offset && b.offset + b.length <= a.offset + a.length;
const splitsPair = (text: string, at: number) =>
	at > 0 && /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");
const loneSurrogate = (text: string) => /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);

/** The inline keyboard of a call, with Telegram's own limits on what a button may carry. */
export function checkKeyboard(params: Params): Button[][] {
	const markup = recordOf(params, "reply_markup");
	if (markup === undefined) return [];
	const rows = markup.inline_keyboard;
	if (!Array.isArray(rows)) return [];
	return rows.map((row: unknown) => (Array.isArray(row) ? row.map(checkButton) : []));
}

function checkButton(value: unknown): Button {
	if (!isRecord(value) || typeof value.text !== "string" || value.text === "")
		throw badRequest("text buttons are unallowed in the inline keyboard");
	const { callback_data: data, url } = value;
	if (data === undefined && url === undefined) throw badRequest("text buttons are unallowed in the inline keyboard");
	if (data !== undefined) {
		const bytes = typeof data === "string" ? Buffer.byteLength(data) : 0;
		if (bytes < 1 || bytes > 64) throw badRequest("BUTTON_DATA_INVALID");
	}
	if (url !== undefined && !(typeof url === "string" && /^https?:\/\/|^tg:/.test(url))) throw badRequest("BUTTON_URL_INVALID");
	return { text: value.text, ...(typeof data === "string" && { callbackData: data }), ...(typeof url === "string" && { url }) };
}
