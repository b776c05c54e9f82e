import type { AttachmentPart } from "@rightseat/protocol/fleet/requests";
import { MAX_ATTACHMENT_BYTES } from "@rightseat/protocol/limits";
import { AppError } from "../../core/kernel/errors.ts";
import type { MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import type { Attachments } from "./attachments.ts";

/** Files that come from other hosts at once; the oldest gives way, and its sender begins again. */
export const MAX_PARTIAL_UPLOADS = 8;

interface Partial {
	size: number;
	parts: (Buffer | undefined)[];
	bytes: number;
}

/** Puts files of other hosts together; one that is here already is not made again. */
export function createUploadParts(deps: { attachments: Pick<Attachments, "add" | "find">; memory: MemoryLedger }) {
	const partials = new Map<string, Partial>();
	const account = deps.memory.account("fleet uploads");

	function drop(id: string): void {
		account.add(-(partials.get(id)?.bytes ?? 0));
		partials.delete(id);
	}
	function partialOf(id: string, { size, parts }: AttachmentPart): Partial {
		const known = partials.get(id);
		if (known?.size === size && known.parts.length === parts) return known;
		drop(id);
		if (size > MAX_ATTACHMENT_BYTES)
			throw new AppError("attachment-too-large", "A file can have at most 10 MB.", { params: { megabytes: 10 } });
		const oldest = partials.keys().next();
		if (partials.size >= MAX_PARTIAL_UPLOADS && oldest.done !== true) drop(oldest.value);
		const begun: Partial = { size, parts: new Array<Buffer | undefined>(parts).fill(undefined), bytes: 0 };
		partials.set(id, begun);
		return begun;
	}

	/** Takes one part; the id of the attachment when all of them are there. */
	return async (from: string, part: AttachmentPart): Promise<string | undefined> => {
		// Its directory is named by it.
		if (!/^[\w-]+$/.test(part.id)) throw wrongPart();
		const id = `${from}_${part.id}`;
		if (deps.attachments.find(id) !== undefined) return id;
		const partial = partialOf(id, part);
		if (part.part >= partial.parts.length) throw wrongPart();
		const bytes = Buffer.from(part.base64, "base64");
		const added = bytes.length - (partial.parts[part.part]?.length ?? 0);
		if (partial.bytes + added > partial.size) throw wrongPart();
		if (!account.reserve(added))
			throw new AppError("rate-limited", "There is no memory for this file now. Try again in a moment.", {
				retryable: true,
				params: { reason: "memory" },
			});
		partial.bytes += added;
		partial.parts[part.part] = bytes;
		const whole = partial.parts.filter((each) => each !== undefined);
		if (whole.length < partial.parts.length || partial.bytes < partial.size) return undefined;
		drop(id);
		await deps.attachments.add({ id, name: part.name, content: Buffer.concat(whole) });
		return id;
	};
}

const wrongPart = () => new AppError("bad-request", "This is no part of the file.", { params: { reason: "no-file" } });
