import { X } from "lucide-react";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";

/** Short messages at the top; read aloud politely. Each open dialog has a toaster, and the uppermost one speaks. */
export function Toaster({ level = 0 }: { level?: number }) {
	const uppermost = useApp((state) => state.modals === level);
	const waiting = useApp((state) => state.toasts);
	const toasts = uppermost ? waiting : [];
	const { dismissToast } = useActions();
	const t = useWords(commonWords);
	return (
		<section
			aria-label={t("notifications")}
			aria-live="polite"
			className="pointer-events-none fixed inset-x-0 top-14 z-50 flex flex-col items-center gap-2 px-4"
		>
			{toasts.map((toast) => (
				<div
					key={toast.id}
					className="pointer-events-auto flex w-full max-w-md items-center gap-2 rounded-xl border bg-surface py-1.5 pr-1.5 pl-4 text-sm shadow-float"
				>
					<span className={toast.kind === "error" ? "min-w-0 flex-1 break-words text-danger" : "min-w-0 flex-1 break-words"}>
						{toast.text}
					</span>
					{toast.action !== undefined && (
						<Button
							small
							onClick={() => {
								toast.action?.run();
								dismissToast(toast.id);
							}}
						>
							{toast.action.label}
						</Button>
					)}
					<IconButton small label={t("dismiss")} icon={<X size={15} />} onClick={() => dismissToast(toast.id)} />
				</div>
			))}
		</section>
	);
}
