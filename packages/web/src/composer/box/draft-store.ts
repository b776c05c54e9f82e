import { MAX_ATTACHMENTS, MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { type Attachment, attachmentSchema } from "@rightseat/protocol/model/message";
import * as z from "zod/mini";
import { writeStorage } from "../../storage/write-storage.ts";
import { DRAFTS_KEY } from "./draft-format.ts";

export const MAX_DRAFTS = 50;

export interface Draft {
	text: string;
	attachments: Attachment[];
}

export interface DraftStore {
	load(conversationId: string): Draft;
	/** An empty draft is removed. */
	save(conversationId: string, draft: Draft): void;
}

const draftsSchema = z.record(z.string(), z.object({ text: z.string(), attachments: z.array(attachmentSchema), at: z.number() }));
type Drafts = z.infer<typeof draftsSchema>;

/** Unsent text and uploaded files per conversation, kept over a reload. Reads storage each time, because another tab writes it too. */
export function createDraftStore(storage: Pick<Storage, "getItem" | "setItem">, now: () => number): DraftStore {
	return {
		load(conversationId) {
			const draft = read(storage)[conversationId];
			return { text: draft?.text ?? "", attachments: draft?.attachments ?? [] };
		},
		save(conversationId, { text, attachments }) {
			const { [conversationId]: before, ...rest } = read(storage);
			const empty = text.trim() === "" && attachments.length === 0;
			if (empty && before === undefined) return;
			const drafts: Drafts = empty
				? rest
				: {
						...rest,
						[conversationId]: { text: text.slice(0, MAX_TYPED_CHARS), attachments: attachments.slice(0, MAX_ATTACHMENTS), at: now() },
					};
			writeStorage(storage, DRAFTS_KEY, JSON.stringify(newest(drafts)));
		},
	};
}

function newest(drafts: Drafts): Drafts {
	const sorted = Object.entries(drafts).sort(([, a], [, b]) => b.at - a.at);
	return Object.fromEntries(sorted.slice(0, MAX_DRAFTS));
}

function read(storage: Pick<Storage, "getItem">): Drafts {
	try {
		const parsed = draftsSchema.safeParse(JSON.parse(storage.getItem(DRAFTS_KEY) ?? "{}"));
		return parsed.success ? parsed.data : {};
	} catch {
		// Storage that is blocked or damaged costs the drafts, never the composer.
		return {};
	}
}
