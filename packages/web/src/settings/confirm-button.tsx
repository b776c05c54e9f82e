import { useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { securityWords } from "./security-messages.ts";

/** A button that first says what will happen and asks; the safe answer has the focus. */
export function ConfirmButton(props: {
	label: string;
	/** Read aloud instead of the label where several buttons look alike. */
	name?: string;
	question: string;
	confirm: string;
	small?: boolean;
	onConfirm: () => Promise<void>;
}) {
	const t = useWords(securityWords);
	const [asking, setAsking] = useState(false);
	const [busy, setBusy] = useState(false);
	const trigger = useRef<HTMLButtonElement>(null);
	const cancel = useRef<HTMLButtonElement>(null);
	const wasAsking = useRef(false);
	useEffect(() => {
		if (asking) cancel.current?.focus();
		else if (wasAsking.current) trigger.current?.focus();
		wasAsking.current = asking;
	}, [asking]);
	const confirm = async () => {
		setBusy(true);
		await props.onConfirm();
		setBusy(false);
		setAsking(false);
	};
	if (!asking) {
		return (
			<Button ref={trigger} small={props.small ?? false} aria-label={props.name} onClick={() => setAsking(true)}>
				{props.label}
			</Button>
		);
	}
	return (
		<fieldset className="w-full rounded-lg border p-3 text-sm">
			<legend className="sr-only">{props.name ?? props.label}</legend>
			<p className="pb-2.5">{props.question}</p>
			<div className="flex flex-wrap gap-2">
				<Button ref={cancel} onClick={() => setAsking(false)}>
					{t("cancel")}
				</Button>
				<Button kind="danger" disabled={busy} onClick={() => void confirm()}>
					{props.confirm}
				</Button>
			</div>
		</fieldset>
	);
}
