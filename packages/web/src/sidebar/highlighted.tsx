/** The words of the query within a text, marked. */
export function Highlighted({ text, query }: { text: string; query: string }) {
	return splitByWords(text, query).map((part) =>
		part.hit ? (
			<mark key={part.at} className="rounded-sm bg-warn-soft text-ink">
				{part.text}
			</mark>
		) : (
			part.text
		),
	);
}

export interface TextPart {
	text: string;
	hit: boolean;
	/** Where the part begins. */
	at: number;
}

export function splitByWords(text: string, query: string): TextPart[] {
	const words = query.split(/\s+/u).filter((word) => word !== "");
	if (words.length === 0) return [{ text, hit: false, at: 0 }];
	const pattern = new RegExp(`(${words.map(escapePattern).join("|")})`, "giu");
	const parts: TextPart[] = [];
	let at = 0;
	for (const match of text.matchAll(pattern)) {
		if (match.index > at) parts.push({ text: text.slice(at, match.index), hit: false, at });
		parts.push({ text: match[0], hit: true, at: match.index });
		at = match.index + match[0].length;
	}
	if (at < text.length) parts.push({ text: text.slice(at), hit: false, at });
	return parts;
}

const escapePattern = (word: string) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
