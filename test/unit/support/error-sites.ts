import { readSources, withoutComments } from "./source-files.ts";

/** A place of the server that makes an error, a notice or a health sentence: its code, its arguments as written. */
export interface ErrorSite {
	path: string;
	code: string;
	text: string;
	/** Names of the values that go along; `reason` with its value where it is written out. */
	params: readonly string[];
	reasons: readonly string[];
}

/** Every `new AppError(…)`, and every literal `{ code: "…", message … }`, of the server's product code. */
export function errorSites(): ErrorSite[] {
	return readSources(["packages/server/src"])
		.filter((file) => !file.isTest && !/\/messages\//.test(file.path))
		.flatMap(({ path, text }) => {
			const code = withoutComments(text);
			const calls = [...code.matchAll(/new AppError\(\s*"([a-z-]+)"/g)].map((match) => ({ match, text: balanced(code, match.index + 12) }));
			const literals = [...code.matchAll(/\{[^{}]*\bcode: "([a-z-]+)",/g)].map((match) => ({ match, text: balanced(code, match.index) }));
			return [...calls, ...literals].map(({ match, text: site }) => {
				const params = /\bparams: (\{[^}]*\}(?: : \{[^}]*\})?|[^{}]*\? \{[^}]*\} : \{[^}]*\})/.exec(site)?.[1] ?? "";
				return {
					path,
					code: match[1] ?? "",
					text: site,
					params: [...params.matchAll(/(?<=[{,] ?)(\w+)(?=[:, }])/g)].map(([, name = ""]) => name),
					reasons: [...params.matchAll(/\breason: ([^,}]*)/g)].flatMap(([, value = ""]) =>
						[...value.matchAll(/"([a-z-]+)"/g)].map(([, reason = ""]) => reason),
					),
				};
			});
		});
}

/** From an opening bracket to the one that closes it, strings left out of the count. */
function balanced(text: string, at: number): string {
	let depth = 0;
	let quote = "";
	for (let i = at; i < text.length; i++) {
		const char = text[i] ?? "";
		if (quote !== "") {
			if (char === "\\") i++;
			else if (char === quote) quote = "";
			continue;
		}
		if (char === '"' || char === "`") quote = char;
		else if ("({[".includes(char)) depth++;
		else if (")}]".includes(char) && --depth === 0) return text.slice(at, i + 1);
	}
	return text.slice(at);
}
