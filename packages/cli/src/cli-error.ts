/** How every command ends. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 3, ctrlC: 130 } as const;

/** Something that a person can act on: one line on standard error, and the exit code. */
export class CliError extends Error {
	readonly exitCode: number;
	constructor(message: string, exitCode: number = EXIT.usage) {
		super(message);
		this.exitCode = exitCode;
	}
}
