import { statSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { delimiter, resolve } from "node:path";

/** Reads one kind of value from text. `kind` is how the documentation names it. */
export interface ValueType<T> {
	readonly kind: string;
	/** Throws BadValue with a sentence that follows the name of the setting. */
	parse(text: string): T;
	/** The text is JSON: in config.json the value stands as it is. */
	readonly json?: true;
}

/** What is wrong with a value; the reader adds which setting it was. */
export class BadValue extends Error {}

export const text: ValueType<string> = { kind: "text", parse: (value) => value };

export const flag: ValueType<boolean> = {
	kind: "1 or 0",
	parse(value) {
		const word = value.toLowerCase();
		if (["1", "true", "yes", "on"].includes(word)) return true;
		if (["0", "false", "no", "off"].includes(word)) return false;
		throw new BadValue(`must be 1 or 0, not "${shown(value)}"`);
	},
};

export function integer(min: number, max: number): ValueType<number> {
	return {
		kind: `number, ${min} to ${max}`,
		parse(value) {
			const number = Number(value);
			if (!/^-?\d+$/.test(value) || number < min || number > max) {
				throw new BadValue(`must be a whole number from ${min} to ${max}, not "${shown(value)}"`);
			}
			return number;
		},
	};
}

export function oneOf<const T extends string>(...choices: T[]): ValueType<T> {
	return {
		kind: choices.map((choice) => `\`${choice}\``).join(", "),
		parse(value) {
			const choice = choices.find((candidate) => candidate === value.toLowerCase());
			if (choice === undefined) throw new BadValue(`must be one of ${choices.join(", ")}, not "${shown(value)}"`);
			return choice;
		},
	};
}

export const httpUrl: ValueType<string> = {
	kind: "http(s) address",
	parse(value) {
		const url = URL.canParse(value) ? new URL(value) : undefined;
		if (url === undefined || !/^https?:$/.test(url.protocol)) {
			throw new BadValue(`must be an address that begins with http:// or https://, not "${shown(value)}"`);
		}
		// Addresses are printed and logged.
		if (url.username !== "" || url.password !== "") throw new BadValue("must not hold a user name or password");
		return value.replace(/\/+$/, "");
	},
};

export const natsUrl: ValueType<string> = {
	kind: "nats:// or tls:// addresses, comma-separated",
	parse(value) {
		const addresses = listed(value, ",");
		for (const address of addresses.length === 0 ? [""] : addresses) {
			const url = URL.canParse(address) ? new URL(address) : undefined;
			if (url === undefined || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === "") {
				throw new BadValue(`must be an address that begins with nats:// or tls://, not "${shown(address)}"`);
			}
			// Addresses are printed, logged, and part of invitations.
			if (url.username !== "" || url.password !== "") {
				throw new BadValue("must not hold a user name or password; put them into the file that RIGHTSEAT_FLEET_CREDS names");
			}
		}
		return addresses.join(",");
	},
};

export const numericIds: ValueType<number[]> = {
	kind: "numbers, comma-separated",
	parse(value) {
		return listed(value, ",").map((item) => {
			const id = Number(item);
			if (!/^-?\d+$/.test(item) || !Number.isSafeInteger(id)) {
				throw new BadValue(`must be numeric ids separated by commas; "${shown(item)}" is not one`);
			}
			return id;
		});
	},
};

export const path: ValueType<string> = { kind: "path", parse: (value) => resolve(expandHome(value)) };

export const file: ValueType<string> = {
	kind: "file",
	parse(value) {
		const absolute = path.parse(value);
		if (!isKind(absolute, "file")) throw new BadValue(`must be a file that exists, not "${shown(value)}"`);
		return absolute;
	},
};

export const directory: ValueType<string> = {
	kind: "directory",
	parse(value) {
		const absolute = path.parse(value);
		if (!isKind(absolute, "directory")) throw new BadValue(`must be a directory that exists, not "${shown(value)}"`);
		return absolute;
	},
};

export const directories: ValueType<string[]> = {
	kind: `directories, separated by \`${delimiter}\``,
	parse: (value) => listed(value, delimiter).map((item) => directory.parse(item)),
};

export const host: ValueType<string> = {
	kind: "IP address or host name",
	parse(value) {
		const bare = value.replace(/^\[(.*)\]$/, "$1");
		if (isIP(bare) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) {
			throw new BadValue(`must be an IP address or a host name, not "${shown(value)}"`);
		}
		return bare;
	},
};

const listed = (value: string, separator: string) =>
	value
		.split(separator)
		.map((item) => item.trim())
		.filter((item) => item !== "");

const expandHome = (value: string) => (value === "~" || value.startsWith("~/") ? homedir() + value.slice(1) : value);

/** One line, bounded: a broken value must not flood the terminal. */
const shown = (value: string) => JSON.stringify(value.slice(0, 80)).slice(1, -1);

function isKind(absolute: string, kind: "file" | "directory"): boolean {
	const stats = statSync(absolute, { throwIfNoEntry: false });
	return stats !== undefined && (kind === "file" ? stats.isFile() : stats.isDirectory());
}
