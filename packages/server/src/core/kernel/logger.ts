/** What core and adapters need of a logger; pino satisfies it. */
export interface Logger {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
	fatal(fields: object, message: string): void;
}

const nothing = () => undefined;
/** For tests and for parts that must not log. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
