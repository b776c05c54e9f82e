import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { doneAttachments, type UploadItem } from "../attach/upload.ts";
import { createDraftStore } from "./draft-store.ts";

const SAVE_AFTER_MS = 250;

/** Text and files of the conversation on screen; both come back after switching away or reloading. */
export function useDraft(draft: string) {
	const drafts = useMemo(() => createDraftStore(localStorage, Date.now), []);
	const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
	const [items, setItems] = useState<readonly UploadItem[]>([]);
	const loaded = useRef(new Set<string>());

	if (!loaded.current.has(draft)) {
		loaded.current.add(draft);
		const kept = drafts.load(draft);
		setTexts((all) => ({ ...all, [draft]: kept.text }));
		setItems((all) => [
			...all,
			...kept.attachments.map(
				(attachment): UploadItem => ({
					key: attachment.id,
					draft,
					name: attachment.name,
					size: attachment.size,
					mimeType: attachment.mimeType,
					state: "done",
					attachment,
				}),
			),
		]);
	}

	const text = texts[draft] ?? "";
	const own = useMemo(() => items.filter((item) => item.draft === draft), [items, draft]);

	useEffect(() => {
		const save = () => drafts.save(draft, { text, attachments: doneAttachments(own) });
		const timer = setTimeout(save, SAVE_AFTER_MS);
		window.addEventListener("pagehide", save);
		return () => {
			clearTimeout(timer);
			window.removeEventListener("pagehide", save);
			save();
		};
	}, [drafts, draft, text, own]);

	const setText = useCallback((next: string) => setTexts((all) => ({ ...all, [draft]: next })), [draft]);
	const clear = useCallback(() => {
		setText("");
		setItems((all) => all.filter((item) => item.draft !== draft));
	}, [draft, setText]);
	/** Gives back what could not be sent, unless something new was written meanwhile. */
	const restore = useCallback(
		(unsent: { text: string; items: readonly UploadItem[] }) => {
			setTexts((all) => ((all[draft] ?? "") === "" ? { ...all, [draft]: unsent.text } : all));
			setItems((all) => [...unsent.items.filter((item) => !all.some(({ key }) => key === item.key)), ...all]);
		},
		[draft],
	);
	return { text, setText, items: own, setItems, clear, restore };
}
