import clsx from "clsx";
import type { ButtonHTMLAttributes, ReactNode } from "react";

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> {
	/** Read aloud and shown on hover. */
	label: string;
	icon: ReactNode;
	small?: boolean;
	pressed?: boolean;
}

export function IconButton({ label, icon, small = false, pressed, className, ...rest }: IconButtonProps) {
	return (
		<button
			type="button"
			title={label}
			{...rest}
			aria-label={label}
			aria-pressed={pressed}
			className={clsx(
				"inline-flex shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-40",
				small ? "size-7" : "size-9",
				pressed === true && "bg-hover text-ink",
				className,
			)}
		>
			{icon}
		</button>
	);
}
