import { type ReactNode, useLayoutEffect, useRef } from "react";

/** Stop and Steer: there only while a turn runs. Whoever stood on one by keyboard stands in the message box when it has gone. */
export function TurnButton({ children, title, onClick }: { children: ReactNode; title?: string; onClick: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		const element = button.current;
		return () => {
			if (element === null || document.activeElement !== element) return;
			// A finger would get a keyboard over half of its screen that it did not ask for.
			const next = element.matches(":focus-visible") ? document.getElementById("message") : document.querySelector('[role="log"]');
			if (next instanceof HTMLElement) next.focus({ preventScroll: true });
		};
	}, []);
	return (
		<button
			ref={button}
			type="button"
			title={title}
			onClick={onClick}
			className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-full border px-3 font-medium text-sm hover:bg-hover"
		>
			{children}
		</button>
	);
}
