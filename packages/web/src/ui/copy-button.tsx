import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { copyWords } from "./copy-messages.ts";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";

/** `text` may have to be fetched first; undefined when that failed and was said. */
export function CopyButton({ text, label }: { text: () => string | Promise<string | undefined>; label?: string }) {
	const t = useWords(copyWords);
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 1600);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = () => void copyText(text()).then(setCopied);
	return (
		<IconButton
			small
			label={copied ? t("copied") : (label ?? t("copy"))}
			icon={copied ? <Check size={15} /> : <Copy size={15} />}
			onClick={copy}
		/>
	);
}
