import type { LanguageRegistration } from "shiki/core";

type LanguageModule = Promise<{ default: LanguageRegistration[] }>;

/** Each grammar is a file of its own, fetched when a block in that language is met. */
const GRAMMARS: Record<string, () => LanguageModule> = {
	bash: () => import("shiki/langs/bash.mjs"),
	c: () => import("shiki/langs/c.mjs"),
	cpp: () => import("shiki/langs/cpp.mjs"),
	csharp: () => import("shiki/langs/csharp.mjs"),
	css: () => import("shiki/langs/css.mjs"),
	diff: () => import("shiki/langs/diff.mjs"),
	dockerfile: () => import("shiki/langs/dockerfile.mjs"),
	go: () => import("shiki/langs/go.mjs"),
	html: () => import("shiki/langs/html.mjs"),
	ini: () => import("shiki/langs/ini.mjs"),
	java: () => import("shiki/langs/java.mjs"),
	javascript: () => import("shiki/langs/javascript.mjs"),
	json: () => import("shiki/langs/json.mjs"),
	jsx: () => import("shiki/langs/jsx.mjs"),
	kotlin: () => import("shiki/langs/kotlin.mjs"),
	lua: () => import("shiki/langs/lua.mjs"),
	makefile: () => import("shiki/langs/makefile.mjs"),
	markdown: () => import("shiki/langs/markdown.mjs"),
	php: () => import("shiki/langs/php.mjs"),
	powershell: () => import("shiki/langs/powershell.mjs"),
	python: () => import("shiki/langs/python.mjs"),
	ruby: () => import("shiki/langs/ruby.mjs"),
	rust: () => import("shiki/langs/rust.mjs"),
	sql: () => import("shiki/langs/sql.mjs"),
	swift: () => import("shiki/langs/swift.mjs"),
	toml: () => import("shiki/langs/toml.mjs"),
	tsx: () => import("shiki/langs/tsx.mjs"),
	typescript: () => import("shiki/langs/typescript.mjs"),
	xml: () => import("shiki/langs/xml.mjs"),
	yaml: () => import("shiki/langs/yaml.mjs"),
};

const ALIASES: Record<string, string> = {
	"c#": "csharp",
	"c++": "cpp",
	cs: "csharp",
	console: "bash",
	docker: "dockerfile",
	h: "c",
	hpp: "cpp",
	js: "javascript",
	jsonc: "json",
	kt: "kotlin",
	make: "makefile",
	md: "markdown",
	mjs: "javascript",
	patch: "diff",
	ps1: "powershell",
	py: "python",
	rb: "ruby",
	rs: "rust",
	sh: "bash",
	shell: "bash",
	svg: "xml",
	ts: "typescript",
	yml: "yaml",
	zsh: "bash",
};

export function findGrammar(language: string): { name: string; load: () => LanguageModule } | undefined {
	const lower = language.toLowerCase();
	const name = ALIASES[lower] ?? lower;
	const load = GRAMMARS[name];
	return load === undefined ? undefined : { name, load };
}
