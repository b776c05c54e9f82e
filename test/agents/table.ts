import * as z from "zod";

/** What each promise came to with each agent; `none`: the agent has no such thing. */
export const resultsSchema = z.array(
	z.object({ agent: z.string(), name: z.string(), state: z.enum(["kept", "broken", "none"]), remark: z.string() }),
);
export type Result = z.infer<typeof resultsSchema>[number];

const BEGIN = "<!-- table of agents: npm run test:agents -- --docs -->";
const END = "<!-- end of the table of agents -->";

/** All agents against all promises, as Markdown. */
export function drawTable(results: readonly Result[]): string {
	const agents = [...new Set(results.map(({ agent }) => agent))];
	const names = [...new Set(results.map(({ name }) => name))];
	const cell = (name: string, agent: string): string => {
		const result = results.find((one) => one.name === name && one.agent === agent);
		if (result === undefined) return "";
		const word = { kept: "yes", broken: "**no**", none: "–" }[result.state];
		const remark = result.state === "none" ? "" : result.remark.replaceAll("|", "\\|").replace(/\s+/g, " ").slice(0, 80);
		return remark === "" ? word : `${word} (${remark})`;
	};
	const rows = names.map((name) => [name, ...agents.map((agent) => cell(name, agent))]);
	return [["", ...agents], ["---", ...agents.map(() => "---")], ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The document with this table in place of the old one, or at its end. */
export function withTable(document: string, table: string): string {
	const block = `${BEGIN}\n${table}\n${END}`;
	const begin = document.indexOf(BEGIN);
	const end = document.indexOf(END);
	if (begin < 0 || end < begin) return `${document.trimEnd()}\n\n${block}\n`;
	return document.slice(0, begin) + block + document.slice(end + END.length);
}
