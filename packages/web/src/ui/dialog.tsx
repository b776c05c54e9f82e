import clsx from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { dialogWords } from "./dialog-messages.ts";
import { IconButton } from "./icon-button.tsx";
import { Toaster } from "./toaster.tsx";

/**
 * The browser's own modal dialog: it traps focus, closes on Escape and gives focus back. Ready-made ones add a style
 * element for the scroll lock, which the page's CSP refuses. What should have the focus first carries `data-first-focus`.
 */
export function Dialog(props: {
	open: boolean;
	onClose: () => void;
	title: string;
	/** Shown only to screen readers; the content brings its own head. */
	hideTitle?: boolean;
	className?: string;
	children: ReactNode;
}) {
	const { open, onClose, title, hideTitle = false, className, children } = props;
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	const t = useWords(dialogWords);
	const { enterModal } = useActions();
	const [level, setLevel] = useState(0);
	useEffect(() => {
		const dialog = ref.current;
		if (dialog === null || open === dialog.open) return;
		if (!open) return dialog.close();
		dialog.showModal();
		// The browser takes whatever can have the focus first, also a box that is no control.
		const first = dialog.querySelector("[data-first-focus]");
		if (first instanceof HTMLElement) first.focus();
	}, [open]);
	useLayoutEffect(() => {
		const dialog = ref.current;
		// A dialog that is only taken out of the page keeps the focus it owes.
		return () => dialog?.close();
	}, []);
	useLayoutEffect(() => {
		if (!open) return;
		const modal = enterModal();
		setLevel(modal.level);
		return modal.leave;
	}, [open, enterModal]);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already; the click is for the backdrop.
		<dialog
			ref={ref}
			aria-labelledby={titleId}
			className={clsx("dialog", className)}
			onClose={onClose}
			onClick={(event) => {
				if (event.target === event.currentTarget) onClose();
			}}
		>
			{hideTitle ? (
				<h2 id={titleId} className="sr-only">
					{title}
				</h2>
			) : (
				<header className="flex items-center gap-2 border-b py-2 pr-2 pl-5">
					<h2 id={titleId} className="min-w-0 flex-1 truncate font-semibold">
						{title}
					</h2>
					<IconButton label={t("close")} icon={<X size={18} />} onClick={onClose} />
				</header>
			)}
			{open && children}
			{/* What is outside an open dialog is behind it and cannot be clicked. */}
			{open && level > 0 && <Toaster level={level} />}
		</dialog>
	);
}
