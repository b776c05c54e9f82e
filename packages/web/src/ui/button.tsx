import clsx from "clsx";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

const KINDS: Record<ButtonKind, string> = {
	primary: "bg-accent text-on-accent hover:bg-accent-hover",
	plain: "border border-line bg-surface text-ink hover:bg-hover",
	quiet: "text-muted hover:bg-hover hover:text-ink",
	danger: "bg-danger-soft text-danger hover:brightness-95",
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
	kind?: ButtonKind;
	small?: boolean;
	icon?: ReactNode;
	ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = "plain", small = false, icon, className, children, ...rest }: ButtonProps) {
	return (
		<button
			type="button"
			{...rest}
			className={clsx(
				"inline-flex items-center justify-center gap-1.5 rounded-lg font-medium transition-colors disabled:opacity-50",
				small ? "min-h-7 px-2.5 text-[13px]" : "min-h-9 px-3.5 text-sm",
				KINDS[kind],
				className,
			)}
		>
			{icon}
			{children}
		</button>
	);
}
