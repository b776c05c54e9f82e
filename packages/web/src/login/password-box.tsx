import { Eye, EyeOff } from "lucide-react";
import { type Ref, useId, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";

/** A labelled password with its problem below it; what is typed can be looked at. */
export function PasswordBox(props: {
	label: string;
	hint?: string;
	show: string;
	hide: string;
	value: string;
	problem: string;
	kind: "current-password" | "new-password";
	ref?: Ref<HTMLInputElement>;
	onChange: (value: string) => void;
}) {
	const [shown, setShown] = useState(false);
	const id = useId();
	return (
		<>
			{/* Password managers file a password under a name; there is only one person here. */}
			<input type="text" autoComplete="username" value="owner" readOnly hidden />
			<label htmlFor={id} className="block pb-1 font-medium text-sm">
				{props.label}
			</label>
			<div className="relative">
				<input
					ref={props.ref}
					id={id}
					type={shown ? "text" : "password"}
					value={props.value}
					onChange={(event) => props.onChange(event.target.value)}
					aria-invalid={props.problem !== ""}
					aria-describedby={`${id}-hint ${id}-problem`}
					autoComplete={props.kind}
					autoCapitalize="off"
					autoCorrect="off"
					spellCheck={false}
					className="h-11 w-full rounded-lg border border-line-strong bg-surface pr-11 pl-3 text-sm pointer-coarse:text-[16px]"
				/>
				<IconButton
					label={shown ? props.hide : props.show}
					icon={shown ? <EyeOff size={17} /> : <Eye size={17} />}
					className="absolute top-1 right-1"
					onClick={() => setShown(!shown)}
				/>
			</div>
			{props.hint !== undefined && (
				<p id={`${id}-hint`} className="pt-1 text-muted text-xs">
					{props.hint}
				</p>
			)}
			<p id={`${id}-problem`} role="alert" className="pt-1 text-danger text-sm empty:hidden">
				{props.problem}
			</p>
		</>
	);
}
