import type { FormField } from "@rightseat/protocol/form/form-field";
import { useId } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { formWords } from "./form-messages.ts";
import type { Typed } from "./form-values.ts";

const BOX = "min-h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-base sm:text-sm";
const TEXT_TYPES = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" } as const;

interface InputProps {
	field: FormField;
	typed: Typed;
	/** What is wrong with it. */
	problem: string | undefined;
	onType: (typed: Typed) => void;
}

/** One field: its name, what is said about it, the box, and beside it what is wrong. */
export function FormInput(props: InputProps) {
	const t = useWords(formWords);
	const { field, problem } = props;
	const id = useId();
	const isGroup = field.kind === "choices";
	const about = { "aria-describedby": `${id}-about ${id}-problem`, "aria-invalid": problem !== undefined };
	const name = (
		<>
			{field.title}
			{field.required && <span className="text-muted text-xs"> ({t("required")})</span>}
		</>
	);
	return (
		<div className="flex flex-col gap-1" data-field={field.name}>
			{!isGroup && field.kind !== "boolean" && (
				<label htmlFor={id} dir="auto" className="font-medium text-sm">
					{name}
				</label>
			)}
			{isGroup ? <Choices {...props} id={id} name={name} /> : <Box {...props} id={id} name={name} about={about} />}
			<p id={`${id}-about`} dir="auto" className="break-words text-muted text-xs empty:hidden">
				{field.description}
			</p>
			<p id={`${id}-problem`} role="alert" className="text-danger text-xs empty:hidden">
				{problem}
			</p>
		</div>
	);
}

function Box({ field, typed, onType, id, name, about }: InputProps & { id: string; name: React.ReactNode; about: object }) {
	const t = useWords(formWords);
	if (field.kind === "boolean")
		return (
			<label dir="auto" className="flex min-h-9 items-center gap-2 font-medium text-sm">
				<input id={id} type="checkbox" checked={typed === true} onChange={(event) => onType(event.target.checked)} {...about} />
				<span>{name}</span>
			</label>
		);
	const value = typeof typed === "string" ? typed : "";
	if (field.kind === "choice")
		return (
			<select id={id} value={value} onChange={(event) => onType(event.target.value)} className={BOX} {...about}>
				<option value="">{t("choose")}</option>
				{field.choices.map((choice) => (
					<option key={choice.value} value={choice.value}>
						{choice.title}
					</option>
				))}
			</select>
		);
	const isNumber = field.kind !== "text";
	const type = isNumber ? "number" : field.format === undefined ? "text" : TEXT_TYPES[field.format];
	return (
		<input
			id={id}
			type={type}
			step={isNumber ? (field.kind === "integer" ? 1 : "any") : undefined}
			value={value}
			onChange={(event) => onType(event.target.value)}
			autoComplete="off"
			required={field.required}
			className={BOX}
			{...about}
		/>
	);
}

function Choices({ field, typed, onType, id, name }: InputProps & { id: string; name: React.ReactNode }) {
	if (field.kind !== "choices") return null;
	const chosen = Array.isArray(typed) ? typed : [];
	return (
		<fieldset className="flex flex-col gap-1" aria-describedby={`${id}-about ${id}-problem`}>
			<legend dir="auto" className="pb-1 font-medium text-sm">
				{name}
			</legend>
			{field.choices.map(({ value, title }) => (
				<label key={value} dir="auto" className="flex min-h-7 items-center gap-2 text-sm">
					<input
						type="checkbox"
						checked={chosen.includes(value)}
						onChange={(event) => onType(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))}
					/>
					<span>{title}</span>
				</label>
			))}
		</fieldset>
	);
}
