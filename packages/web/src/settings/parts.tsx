import type { ReactNode } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { settingsWords } from "./settings-messages.ts";
import type { Loaded } from "./use-load.ts";

/** A titled part of a settings page. */
export function Part({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
	return (
		<section className="border-b py-4 first:pt-0 last:border-0">
			<h4 className="font-medium text-sm">{title}</h4>
			{hint !== undefined && <p className="pt-0.5 text-muted text-sm">{hint}</p>}
			{children !== undefined && <div className="pt-2.5">{children}</div>}
		</section>
	);
}

/** One choice of a few, as radio buttons that look like cards or pills. */
export function Choice<T extends string>(props: {
	name: string;
	value: T | undefined;
	options: readonly { value: T; label: string; hint?: string }[];
	onChange: (value: T) => void;
}) {
	const tall = props.options.some(({ hint }) => hint !== undefined);
	return (
		<fieldset className={tall ? "grid gap-2" : "flex flex-wrap gap-2"}>
			<legend className="sr-only">{props.name}</legend>
			{props.options.map((option) => (
				<label
					key={option.value}
					className="flex min-h-10 cursor-pointer items-start gap-2.5 rounded-lg border px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
				>
					<input
						type="radio"
						name={props.name}
						checked={props.value === option.value}
						onChange={() => props.onChange(option.value)}
						className="mt-1 accent-accent"
					/>
					<span>
						<span className="block">{option.label}</span>
						{option.hint !== undefined && <span className="block text-muted text-xs">{option.hint}</span>}
					</span>
				</label>
			))}
		</fieldset>
	);
}

export function Toggle(props: {
	label: string;
	hint?: string;
	checked: boolean;
	disabled?: boolean;
	onChange: (checked: boolean) => void;
}) {
	return (
		<label className="flex min-h-10 cursor-pointer items-start gap-3 py-1.5 text-sm">
			<input
				type="checkbox"
				checked={props.checked}
				disabled={props.disabled ?? false}
				onChange={(event) => props.onChange(event.target.checked)}
				className="mt-1 size-4 accent-accent"
			/>
			<span>
				<span className="block">{props.label}</span>
				{props.hint !== undefined && <span className="block text-muted text-xs">{props.hint}</span>}
			</span>
		</label>
	);
}

/** Waits for what a section needs, or says why it did not come. */
export function WhenLoaded<T>({
	loaded,
	reload,
	children,
}: {
	loaded: Loaded<T>;
	reload: () => Promise<void>;
	children: (value: T) => ReactNode;
}) {
	const t = useWords(settingsWords);
	if (loaded.kind === "ready") return children(loaded.value);
	if (loaded.kind === "loading") return <p className="text-muted text-sm">{t("loading")}</p>;
	return (
		<div role="alert" className="flex items-center gap-3 text-danger text-sm">
			<span className="flex-1">{t("failed", { message: loaded.message })}</span>
			<Button small onClick={() => void reload()}>
				{t("tryAgain")}
			</Button>
		</div>
	);
}

/** What became of the last change: why it failed, or that it is done. */
export function Told({ problem, done }: { problem: string; done: string }) {
	return (
		<>
			<p role="alert" className="pt-2 text-danger text-sm empty:hidden">
				{problem}
			</p>
			<p aria-live="polite" className="pt-2 text-muted text-sm empty:hidden">
				{done}
			</p>
		</>
	);
}
