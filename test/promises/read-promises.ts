/** A sentence of a document, and the rules that it names. */
export interface Said {
	document: string;
	section: string;
	/** Without the rules, and without what only makes it look nice. */
	text: string;
	rules: string[];
}

const RULE = /\b[A-Z]{2}\d+\b/g;

/** Sections of SECURITY.md that say what the product does. *What we do not promise* needs no test; *Reporting* is about people. */
const SECURITY_SECTIONS = [
	...[
		"What Rightseat is",
		"What we promise",
		"What the recorder of changes keeps",
		"A key that is typed on the page",
		"In a fleet",
		"Files",
	],
] as const;

/** Sentences that promise nothing: how the document is to be read, what follows for a person, and what is said not to be promised. Each by how it begins. */
export const EXPLAINS: readonly string[] = [
	"Whoever is logged in can run anything",
	"So the door is the sandbox",
	"Auto-approve is not a sandbox.",
	"It protects against accidents and surprises",
	"Text that the agent reads",
	"If that matters, run Rightseat",
	"An agent other than Copilot asks about",
	"Behind each sentence stand the rules",
	"SPEC.md",
	"docs/promises.md lists every sentence",
	"All of it, as measured, and the switches",
	"A key that was in a file of yours stays",
	"To be rid of them now, stop the server",
	"Not promised: members share the content key",
	"talk to a host whose agent acts",
	"A host with a user of its own at NATS may",
	"A device that is logged out of its console",
];

/** Every sentence of SECURITY.md that promises something, in order. */
export function securityPromises(text: string): Said[] {
	return SECURITY_SECTIONS.flatMap((section) => {
		const points = sectionOf(text, section).split(/\n(?=\d+\. |\* |\n)/);
		return points
			.flatMap((point) => sentencesOf(point.replace(/^\s*(?:\d+\.|\*) /, "")))
			.map((sentence) => said("SECURITY.md", section, sentence));
	}).filter(({ text: sentence }) => !EXPLAINS.some((begin) => sentence.startsWith(begin)));
}

/** Every row of the promises of docs/reliability.md, and each thing that the examiner of the fault suite looks at. */
export function reliabilityPromises(text: string): Said[] {
	const document = "docs/reliability.md";
	const [, table = ""] = /\| promise \| tested by \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(text) ?? [];
	const rows = table.split("\n").map((row) => {
		const [, promise = "", tests = ""] = /^\| (.+) \| (.+) \|$/.exec(row) ?? [];
		return { ...said(document, "What is promised", promise), rules: idsIn(tests) };
	});
	const points = sectionOf(text, "The fault suite").split(/\n(?=\* )/);
	const examined = points
		.filter((point) => point.startsWith("* "))
		.map((point) => said(document, "What is compared after every round", point.slice(2).split("\n\n")[0] ?? ""));
	return [...rows, ...examined];
}

/** The body of a section, without its title. */
function sectionOf(text: string, title: string): string {
	const [, body = ""] = new RegExp(`\\n## ${title}\\n([\\s\\S]*?)(?=\\n## |$(?![\\s\\S]))`).exec(text) ?? [];
	return body;
}

/** A sentence ends with a full stop before a blank and a capital, a name in backticks or something in bold. */
function sentencesOf(paragraph: string): string[] {
	return paragraph
		.replaceAll(/\s+/g, " ")
		.trim()
		.split(/(?<=[.!?](?:\*\*)?) (?=[A-Z`[*“])/)
		.filter((sentence) => sentence !== "");
}

function said(document: string, section: string, sentence: string): Said {
	const plain = sentence
		.replaceAll(/\s+/g, " ")
		.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
		.replaceAll("**", "");
	return { document, section, text: withoutRules(plain), rules: idsIn(plain) };
}

/** `(SE1, SE2)` goes, and the rules at the end of `(docs/limits.md, SE1)`. */
function withoutRules(text: string): string {
	return text
		.replaceAll(/ ?\(`?\[?[A-Z]{2}\d+\b[^()]*\)/g, "")
		.replaceAll(/(?:, |; )[A-Z]{2}\d+\b(?:, [A-Z]{2}\d+\b)*(?=\))/g, "")
		.replaceAll(/(^|[\s(])\*([^*]+)\*/g, "$1$2")
		.trim();
}

const idsIn = (text: string): string[] => [...new Set([...text.matchAll(RULE)].map(([id]) => id))];
