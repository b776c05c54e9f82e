/** One instruction of a Containerfile, its continued lines joined. */
export interface Instruction {
	name: string;
	rest: string;
	/** Counted from 0 at each FROM; -1 before the first. */
	stage: number;
}

/** The instructions of a Containerfile; a line that is none is an error. */
export function readContainerfile(text: string): Instruction[] {
	let stage = -1;
	return text
		.replaceAll(/^\s*#.*\n/gm, "")
		.replaceAll(/\s*\\\n\s*/g, " ")
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line) => {
			const [, name, rest] = /^([A-Z]+) (\S.*)$/.exec(line) ?? [];
			if (name === undefined || rest === undefined || !KNOWN.has(name)) throw new Error(`Not an instruction: ${line}`);
			if (name === "FROM") stage += 1;
			return { name, rest: rest.trim(), stage };
		});
}

const KNOWN = new Set([
	"ARG",
	"FROM",
	"WORKDIR",
	"COPY",
	"RUN",
	"ENV",
	"USER",
	"VOLUME",
	"EXPOSE",
	"STOPSIGNAL",
	"HEALTHCHECK",
	"ENTRYPOINT",
	"CMD",
	"LABEL",
]);

export type Yaml = string | Yaml[] | { [key: string]: Yaml };

/** The part of YAML that a compose file of ours uses: maps, lists and plain values by indentation. Anything else is an error. */
export function readYaml(text: string): Yaml {
	const lines = text
		.split("\n")
		.filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))
		.map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }));
	let at = 0;
	function block(indent: number): Yaml {
		return lines[at]?.text.startsWith("- ") ? list(indent) : map(indent);
	}
	function list(indent: number): Yaml[] {
		const items: Yaml[] = [];
		for (let line = lines[at]; line?.indent === indent && line.text.startsWith("- "); line = lines[at]) {
			const item = line.text.slice(2);
			if (/^[\w-]+: /.test(item)) {
				// A map begins on the line of its dash.
				lines[at] = { indent: indent + 2, text: item };
				items.push(map(indent + 2));
			} else {
				at += 1;
				items.push(plain(item));
			}
		}
		return items;
	}
	function map(indent: number): { [key: string]: Yaml } {
		const entries: { [key: string]: Yaml } = {};
		for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
			const [, key, value] = /^([\w-]+):(?: (.+))?$/.exec(line.text) ?? [];
			if (key === undefined || key in entries) throw new Error(`Not a line of a map, or twice: ${line.text}`);
			at += 1;
			const below = lines[at]?.indent ?? 0;
			entries[key] = value === undefined ? (below > indent ? block(below) : "") : value === "{}" ? {} : plain(value);
		}
		return entries;
	}
	const whole = block(0);
	if (at !== lines.length) throw new Error(`Not understood: ${lines[at]?.text}`);
	return whole;
}

function plain(value: string): string {
	const quoted = /^"([^"\\]*)"$/.exec(value)?.[1];
	if (quoted !== undefined) return quoted;
	if (/^["'[{&*!|>%@`]|: | #/.test(value)) throw new Error(`Not a plain value: ${value}`);
	return value;
}
