/** One of the values that a field can have. */
export interface FormChoice {
	value: string;
	/** As people read it. */
	title: string;
}

/** How a text must look. */
export type TextFormat = "email" | "uri" | "date" | "date-time";

/** What a field takes, and within which bounds. */
export type FieldKind =
	| { kind: "text"; format?: TextFormat; minLength?: number; maxLength?: number; default?: string }
	| { kind: "number" | "integer"; minimum?: number; maximum?: number; default?: number }
	| { kind: "boolean"; default?: boolean }
	| { kind: "choice"; choices: FormChoice[]; default?: string }
	| { kind: "choices"; choices: FormChoice[]; minItems?: number; maxItems?: number; default?: string[] };

/** One field of a form, in the order in which it is asked for. */
export type FormField = FieldKind & {
	/** The key of its value in the answer. */
	name: string;
	/** As people read it; the name where it has no other. */
	title: string;
	description?: string;
	required: boolean;
};

/** The value of a field. */
export type FieldValue = string | number | boolean | string[];
/** What a person filled in, by the names of the fields. */
export type FormContent = Record<string, FieldValue>;
