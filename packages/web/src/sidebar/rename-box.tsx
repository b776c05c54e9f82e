import { useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { sidebarWords } from "./sidebar-messages.ts";

/** Enter or leaving the box keeps the new title, Escape the old one. */
export function RenameBox({ title, onDone }: { title: string; onDone: (title: string | undefined, by: "key" | "leaving") => void }) {
	const t = useWords(sidebarWords);
	const [text, setText] = useState(title);
	const box = useRef<HTMLInputElement>(null);
	const finished = useRef(false);
	useEffect(() => box.current?.select(), []);
	const finish = (keep: boolean, by: "key" | "leaving") => {
		if (finished.current) return;
		finished.current = true;
		const next = text.trim();
		onDone(keep && next !== "" ? next : undefined, by);
	};
	return (
		<input
			ref={box}
			aria-label={t("title")}
			value={text}
			maxLength={200}
			onChange={(event) => setText(event.target.value)}
			onBlur={() => finish(true, "leaving")}
			onKeyDown={(event) => {
				if (event.nativeEvent.isComposing) return;
				event.stopPropagation();
				if (event.key === "Enter") finish(true, "key");
				if (event.key === "Escape") finish(false, "key");
			}}
			className="h-10 w-full rounded-lg border border-line-strong bg-surface px-2.5 text-sm pointer-coarse:text-[16px]"
		/>
	);
}
