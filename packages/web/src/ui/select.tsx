import clsx from "clsx";
import { Check, ChevronDown } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { PageEvent } from "../state/page-events.ts";

/** One line of the list. */
export interface SelectOption {
	id: string;
	content: ReactNode;
}

/** Left free between the list and the edge of the window. */
const EDGE_PX = 16;
const LEAST_ROOM_PX = 120;

/** A combobox that only selects: the focus stays on the button, the arrows walk the list. */
export function Select(props: {
	/** What is chosen here, for whoever does not see it. */
	label: string;
	/** What stands on the button. */
	children: ReactNode;
	options: readonly SelectOption[];
	value: string | undefined;
	openRequest?: PageEvent<void>;
	/** As wide as its place, like a field of a form. */
	wide?: boolean;
	/** Gives false where the list stays open, because there is something to read first. */
	onChange: (id: string) => boolean | undefined;
	/** Below the list; gets a function that closes it. */
	footer?: (close: () => void) => ReactNode;
}) {
	const { label, options, value, wide } = props;
	const listId = useId();
	const root = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const [open, setOpen] = useState(false);
	const [active, setActive] = useState(0);
	const [room, setRoom] = useState(0);

	/** After it is drawn; what stands below the list may have taken its room. */
	const keepInSight = (index: number) =>
		requestAnimationFrame(() => document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" }));
	const show = () => {
		const first = Math.max(
			0,
			options.findIndex(({ id }) => id === value),
		);
		setActive(first);
		keepInSight(first);
		// The list opens upwards: what is longer than the way to the edge scrolls, and what stands below it stays in sight.
		// A form in a dialog scrolls, so its edge is where the list would be cut off.
		const edge = button.current?.closest("dialog form")?.getBoundingClientRect().top ?? 0;
		setRoom(Math.max(LEAST_ROOM_PX, (button.current?.getBoundingClientRect().top ?? 0) - edge - EDGE_PX));
		setOpen(true);
		button.current?.focus();
	};
	const newestShow = useRef(show);
	newestShow.current = show;
	useEffect(() => props.openRequest?.listen(() => newestShow.current()), [props.openRequest]);
	useLeaving(root, open, () => setOpen(false));

	const choose = (index: number) => {
		const option = options[index];
		const stays = option !== undefined && option.id !== value && props.onChange(option.id) === false;
		setOpen(stays);
		if (stays) keepInSight(index);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const last = options.length - 1;
		if (!open) {
			if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
			event.preventDefault();
			return show();
		}
		const steps: Record<string, number> = { ArrowDown: Math.min(last, active + 1), ArrowUp: Math.max(0, active - 1), Home: 0, End: last };
		const next = steps[event.key];
		if (next !== undefined) {
			setActive(next);
			keepInSight(next);
		} else if (event.key === "Enter" || event.key === " ") choose(active);
		else if (event.key === "Escape") setOpen(false);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};

	/** The focus may be in what stands below the list; a dialog around it must not take the key and close. */
	const leaveFooter = (event: KeyboardEvent) => {
		if (event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		setOpen(false);
		button.current?.focus();
	};

	return (
		<div ref={root} className={clsx("min-w-0", wide === true ? "relative" : "sm:relative")}>
			<button
				ref={button}
				type="button"
				role="combobox"
				aria-label={label}
				aria-haspopup="listbox"
				aria-expanded={open}
				aria-controls={listId}
				aria-activedescendant={open ? `${listId}-${active}` : undefined}
				onClick={() => (open ? setOpen(false) : show())}
				onKeyDown={onKeyDown}
				className={clsx(
					"inline-flex h-9 min-w-0 max-w-full items-center gap-1 rounded-lg px-2 text-sm hover:bg-hover hover:text-ink",
					wide === true ? "w-full justify-between border px-3" : "text-muted",
				)}
			>
				{props.children}
				<ChevronDown size={14} aria-hidden className="shrink-0" />
			</button>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: only Escape on its way from what stands below the list */}
			<div
				className={clsx(
					"absolute bottom-full left-0 z-40 mb-2 flex flex-col overflow-hidden rounded-xl border bg-surface shadow-float",
					wide === true ? "w-full" : "max-sm:right-0 sm:w-80",
				)}
				style={{ maxHeight: room }}
				hidden={!open}
				onKeyDown={leaveFooter}
			>
				<OptionList {...{ listId, label, options, value, active, setActive, choose }} />
				{props.footer?.(() => setOpen(false))}
			</div>
		</div>
	);
}

/** Calls `leave` when a pointer or the focus goes elsewhere while the list is open. */
function useLeaving(root: RefObject<HTMLElement | null>, open: boolean, leave: () => void) {
	const newest = useRef(leave);
	newest.current = leave;
	useEffect(() => {
		if (!open) return;
		const look = (event: Event) => {
			if (event.target instanceof Node && !root.current?.contains(event.target)) newest.current();
		};
		document.addEventListener("pointerdown", look);
		// What stands below the list is reached by Tab; whoever goes on from there leaves.
		document.addEventListener("focusin", look);
		return () => {
			document.removeEventListener("pointerdown", look);
			document.removeEventListener("focusin", look);
		};
	}, [open, root]);
}

function OptionList(props: {
	listId: string;
	label: string;
	options: readonly SelectOption[];
	value: string | undefined;
	active: number;
	setActive: (index: number) => void;
	choose: (index: number) => void;
}) {
	const { listId, label, options, value, active, setActive, choose } = props;
	return (
		<div id={listId} role="listbox" aria-label={label} className="max-h-[50dvh] min-h-0 overflow-y-auto p-1">
			{options.map(({ id, content }, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys and keeps the focus
				<div
					key={id}
					id={`${listId}-${index}`}
					role="option"
					tabIndex={-1}
					aria-selected={id === value}
					onMouseDown={(event) => event.preventDefault()}
					onMouseMove={() => setActive(index)}
					onClick={() => choose(index)}
					className={clsx("flex cursor-pointer gap-2 rounded-lg px-2.5 py-2", index === active && "bg-hover")}
				>
					<Check size={15} aria-hidden className={clsx("mt-1 shrink-0 text-accent", id !== value && "invisible")} />
					{content}
				</div>
			))}
		</div>
	);
}
