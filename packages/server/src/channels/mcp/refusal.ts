import type { ErrorCode } from "../../core/kernel/errors.ts";

/** Why a call of a tool is refused, for the model that made it. No person reads it, except in the audit log. */
export class Refusal extends Error {
	readonly code: ErrorCode;
	constructor(code: ErrorCode, message: string) {
		super(message);
		this.name = "Refusal";
		this.code = code;
	}
}

export function refuse(code: ErrorCode, message: string): never {
	throw new Refusal(code, message);
}
