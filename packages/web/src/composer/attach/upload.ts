import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import type { Attachment } from "@rightseat/protocol/model/message";

/** A file on its way into the next prompt of one conversation. */
export type UploadItem = { key: string; draft: string; name: string; size: number; mimeType: string } & (
	| { state: "uploading" }
	| { state: "done"; attachment: Attachment }
	| { state: "failed"; message: string; file: File }
);

export type Refusal = { kind: "too-big"; name: string } | { kind: "too-many" };

/** Which of the chosen files may be uploaded beside the ones that are there. */
export function acceptFiles(files: readonly File[], present: number): { accepted: File[]; refused: Refusal[] } {
	const fitting = files.filter((file) => file.size <= MAX_ATTACHMENT_BYTES);
	const refused: Refusal[] = files.filter((file) => file.size > MAX_ATTACHMENT_BYTES).map(({ name }) => ({ kind: "too-big", name }));
	const room = Math.max(0, MAX_ATTACHMENTS - present);
	if (fitting.length > room) refused.push({ kind: "too-many" });
	return { accepted: fitting.slice(0, room), refused };
}

export function doneAttachments(items: readonly UploadItem[]): Attachment[] {
	return items.flatMap((item) => (item.state === "done" ? [item.attachment] : []));
}

/** A pasted screenshot has no name of its own worth showing; several must not all be called image.png. */
export function namePasted(file: File, index: number, now: Date): File {
	if (file.name !== "image.png" && file.name !== "") return file;
	const extension = file.type.split("/")[1] ?? "bin";
	return new File([file], `pasted-${clockOf(now)}${index === 0 ? "" : `-${index + 1}`}.${extension}`, { type: file.type });
}

/** Pasted text that would make the prompt too long goes along as a file instead: refusing it only when it is sent helps nobody. */
export function longTextAsFile(text: string, present: number, now: Date): File | undefined {
	if (text.length + present <= MAX_TYPED_CHARS) return undefined;
	return new File([text], `pasted-${clockOf(now)}.txt`, { type: "text/plain" });
}

function clockOf(now: Date): string {
	return [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, "0")).join("");
}

export function readableSize(bytes: number): string {
	if (bytes < 1024) return `${bytes} B`;
	const units = ["KB", "MB", "GB"];
	let value = bytes / 1024;
	let unit = 0;
	while (value >= 1024 && unit < units.length - 1) {
		value /= 1024;
		unit += 1;
	}
	return `${value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
