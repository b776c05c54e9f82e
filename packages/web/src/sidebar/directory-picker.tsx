import clsx from "clsx";
import { Folder, History } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { type Directories, findDirectories } from "./directory-api.ts";
import { recentDirectories } from "./recent-directories.ts";
import { sidebarWords } from "./sidebar-messages.ts";

const ASK_AFTER_MS = 120;

/** A path to type, with the directories used lately first and then the ones below what is typed. */
export function DirectoryPicker({ value, onChange, host }: { value: string; onChange: (path: string) => void; host?: string | undefined }) {
	const t = useWords(sidebarWords);
	const id = useId();
	const conversations = useApp((state) => state.conversations);
	const [found, setFound] = useState<Directories>({ fallback: undefined, recent: [], matching: [] });
	const [active, setActive] = useState(-1);
	const box = useRef<HTMLInputElement>(null);

	// Opening a dialog moves the focus to its first button; this runs after it.
	useEffect(() => {
		const frame = requestAnimationFrame(() => box.current?.focus());
		return () => cancelAnimationFrame(frame);
	}, []);

	useEffect(() => {
		const aborted = new AbortController();
		const timer = setTimeout(async () => {
			try {
				const answer = await findDirectories(value, aborted.signal, host);
				setFound((before) => ({ ...answer, fallback: answer.fallback ?? before.fallback }));
			} catch (error) {
				if (!aborted.signal.aborted) console.debug("No directories to suggest.", error);
			}
		}, ASK_AFTER_MS);
		return () => {
			clearTimeout(timer);
			aborted.abort();
		};
	}, [value, host]);

	const recent = recentDirectories(
		[
			...found.recent,
			...Object.values(conversations)
				.filter((conversation) => host === undefined || conversation.host?.id === host)
				.toSorted(newest)
				.map(({ cwd }) => cwd),
		],
		value,
	);
	const options = [
		...recent.map((path) => ({ path, recent: true })),
		...found.matching.filter((path) => !recent.includes(path)).map((path) => ({ path, recent: false })),
	].slice(0, 8);

	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === "ArrowDown") setActive((at) => Math.min(options.length - 1, at + 1));
		else if (event.key === "ArrowUp") setActive((at) => Math.max(-1, at - 1));
		else if ((event.key === "Enter" || event.key === "Tab") && options[active] !== undefined) {
			onChange(options[active].path);
			setActive(-1);
		} else return;
		event.preventDefault();
	};
	return (
		<div>
			<label htmlFor={id} className="block pb-1 font-medium text-sm">
				{t("directory")}
			</label>
			<input
				ref={box}
				id={id}
				role="combobox"
				aria-expanded={options.length > 0}
				aria-controls={`${id}-list`}
				aria-autocomplete="list"
				aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
				autoComplete="off"
				autoCapitalize="off"
				spellCheck={false}
				value={value}
				placeholder={found.fallback ?? t("defaultDirectory")}
				onChange={(event) => {
					onChange(event.target.value);
					setActive(-1);
				}}
				onKeyDown={onKeyDown}
				className="h-10 w-full rounded-lg border bg-bg px-3 font-mono text-sm pointer-coarse:text-[16px] placeholder:text-muted"
			/>
			<div id={`${id}-list`} role="listbox" aria-label={t("recentDirectories")} className="mt-1 max-h-40 overflow-y-auto">
				{options.map((option, index) => (
					// biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys and keeps the focus
					<div
						key={option.path}
						id={`${id}-${index}`}
						role="option"
						tabIndex={-1}
						aria-selected={option.path === value}
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => onChange(option.path)}
						className={clsx(
							"flex min-h-9 cursor-pointer items-center gap-2 rounded-lg px-2 text-sm hover:bg-hover",
							index === active && "bg-hover",
						)}
					>
						{option.recent ? (
							<History size={14} aria-hidden className="shrink-0 text-muted" />
						) : (
							<Folder size={14} aria-hidden className="shrink-0 text-muted" />
						)}
						{/* The end of a path tells more than its beginning. */}
						<span dir="rtl" className="min-w-0 truncate text-left font-mono text-[13px]" title={option.path}>
							<bdi dir="ltr">{option.path}</bdi>
						</span>
					</div>
				))}
			</div>
		</div>
	);
}

const newest = (a: { updatedAt: string }, b: { updatedAt: string }) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt);
