import clsx from "clsx";
import { cloneElement, createContext, type ReactElement, type ReactNode, useContext, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { MenuBox } from "./menu-box.tsx";

const CloseContext = createContext<() => void>(() => undefined);

/** Closes the menu around this, and gives the focus back. */
export const useCloseMenu = () => useContext(CloseContext);

interface TriggerProps {
	"aria-haspopup"?: "menu" | "dialog";
	"aria-expanded"?: boolean;
	"aria-controls"?: string | undefined;
}

/** A menu that opens from its trigger, works by keyboard and gives the focus back. Small on purpose: it is part of the first load. */
export function Menu({
	trigger,
	align = "end",
	info,
	children,
}: {
	trigger: ReactElement<TriggerProps>;
	align?: "start" | "end";
	/** The name of a box that only tells something; without it the box is a menu. */
	info?: string;
	children: ReactNode;
}) {
	const [open, setOpen] = useState(false);
	const holder = useRef<HTMLSpanElement>(null);
	const id = useId();
	const close = () => {
		setOpen(false);
		const button = holder.current?.firstElementChild;
		if (button instanceof HTMLElement) button.focus();
	};
	return (
		<>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control; this only hears it. */}
			<span
				ref={holder}
				className="contents"
				onClick={() => setOpen(!open)}
				onKeyDown={(event) => {
					if (event.key !== "ArrowDown" || open) return;
					event.preventDefault();
					setOpen(true);
				}}
			>
				{cloneElement(trigger, {
					"aria-haspopup": info === undefined ? "menu" : "dialog",
					"aria-expanded": open,
					"aria-controls": open ? id : undefined,
				})}
			</span>
			{open &&
				createPortal(
					<CloseContext value={close}>
						<MenuBox id={id} holder={holder.current} align={align} info={info} onClose={close} onLeave={() => setOpen(false)}>
							{children}
						</MenuBox>
					</CloseContext>,
					// What is outside an open dialog cannot be clicked.
					holder.current?.closest("dialog") ?? document.body,
				)}
		</>
	);
}

const ITEM =
	"flex min-h-9 w-full select-none items-center gap-2.5 rounded-lg px-2.5 text-left text-sm outline-none hover:bg-hover focus:bg-hover disabled:opacity-50";

export function MenuItem(props: { onSelect: () => void; icon?: ReactNode; danger?: boolean; disabled?: boolean; children: ReactNode }) {
	const close = useContext(CloseContext);
	const choose = () => {
		close();
		props.onSelect();
	};
	return (
		<button
			type="button"
			role="menuitem"
			tabIndex={-1}
			disabled={props.disabled}
			onClick={choose}
			className={clsx(ITEM, props.danger === true && "text-danger")}
		>
			{props.icon !== undefined && <span className="shrink-0 text-muted">{props.icon}</span>}
			<span className="min-w-0 flex-1">{props.children}</span>
		</button>
	);
}

/** One of several choices, the current one checked. */
export function MenuChoices<T extends string>(props: {
	value: T;
	onChange: (value: T) => void;
	choices: readonly { value: T; label: ReactNode }[];
}) {
	const close = useContext(CloseContext);
	return props.choices.map((choice) => (
		<button
			key={choice.value}
			type="button"
			role="menuitemradio"
			aria-checked={choice.value === props.value}
			tabIndex={-1}
			className={ITEM}
			onClick={() => {
				close();
				props.onChange(choice.value);
			}}
		>
			<span className="w-3.5 shrink-0 text-accent" aria-hidden>
				{choice.value === props.value && "✓"}
			</span>
			<span className="min-w-0 flex-1">{choice.label}</span>
		</button>
	));
}

export function MenuSeparator() {
	return <hr className="mx-2 my-1 h-px border-0 bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
	return <div className="px-2.5 pt-1.5 pb-1 text-muted text-xs">{children}</div>;
}
