import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@rightseat/protocol/limits";
import { type Dispatch, type SetStateAction, useCallback } from "react";
import { api } from "../../api/api.ts";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { composerWords } from "../composer-messages.ts";
import { acceptFiles, readableSize, type UploadItem } from "./upload.ts";

/** Uploads chosen, pasted or dropped files at once, so that sending later is instant. */
export function useUploads(draft: string, items: readonly UploadItem[], setItems: Dispatch<SetStateAction<readonly UploadItem[]>>) {
	const t = useWords(composerWords);
	const say = useFailureText();
	const { toast } = useActions();

	const upload = useCallback(
		async (key: string, file: File, target: string) => {
			const base = { key, draft: target, name: file.name, size: file.size, mimeType: file.type };
			const put = (item: UploadItem) => setItems((all) => all.map((other) => (other.key === key ? item : other)));
			put({ ...base, state: "uploading" });
			try {
				put({ ...base, state: "done", attachment: await api.upload(file) });
			} catch (error) {
				put({ ...base, state: "failed", message: say(error), file });
			}
		},
		[setItems, say],
	);

	const addFiles = useCallback(
		(files: readonly File[]) => {
			const { accepted, refused } = acceptFiles(files, items.length);
			for (const refusal of refused) {
				const text =
					refusal.kind === "too-many"
						? t("tooMany", { limit: MAX_ATTACHMENTS })
						: t("tooBig", { name: refusal.name, limit: readableSize(MAX_ATTACHMENT_BYTES) });
				toast({ kind: "error", text });
			}
			for (const file of accepted) {
				const key = crypto.randomUUID();
				setItems((all) => [...all, { key, draft, name: file.name, size: file.size, mimeType: file.type, state: "uploading" }]);
				void upload(key, file, draft);
			}
		},
		[draft, items.length, setItems, t, toast, upload],
	);

	return {
		addFiles,
		removeFile: useCallback((key: string) => setItems((all) => all.filter((item) => item.key !== key)), [setItems]),
		retryFile: useCallback(
			(item: UploadItem) => {
				if (item.state === "failed") void upload(item.key, item.file, item.draft);
			},
			[upload],
		),
	};
}
