import { useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { queueWords } from "./queue-messages.ts";

export function QueueEditor(props: { content: string; onSave: (content: string) => void; onCancel: () => void }) {
	const t = useWords(queueWords);
	const [text, setText] = useState(props.content);
	const box = useRef<HTMLTextAreaElement>(null);
	useEffect(() => {
		box.current?.focus();
		box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
	}, []);
	const save = () => (text.trim() === "" ? props.onCancel() : props.onSave(text));
	return (
		<div className="p-1">
			<textarea
				ref={box}
				aria-label={t("editQueued")}
				rows={Math.min(6, text.split("\n").length + 1)}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={(event) => {
					if (event.nativeEvent.isComposing) return;
					if (event.key === "Escape") props.onCancel();
					if (event.key === "Enter" && !event.shiftKey) {
						event.preventDefault();
						save();
					}
				}}
				className="w-full resize-none rounded-lg border bg-bg px-2 py-1.5 text-sm pointer-coarse:text-[16px]"
			/>
			<div className="flex justify-end gap-2 pt-1 text-sm">
				<button type="button" onClick={props.onCancel} className="rounded-lg px-3 py-1 hover:bg-hover">
					{t("cancel")}
				</button>
				<button type="button" onClick={save} className="rounded-lg bg-accent px-3 py-1 text-on-accent hover:bg-accent-hover">
					{t("save")}
				</button>
			</div>
		</div>
	);
}
