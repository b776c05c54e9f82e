/** Files without an ending that say what is in them, and endings that are not the name of their language. */
const NAMES: Readonly<Record<string, string>> = {
	dockerfile: "dockerfile",
	makefile: "makefile",
	gnumakefile: "makefile",
	".bashrc": "bash",
	".profile": "bash",
};
const ENDINGS: Readonly<Record<string, string>> = {
	cjs: "javascript",
	cts: "typescript",
	mts: "typescript",
	cc: "cpp",
	hh: "cpp",
	htm: "html",
	bash: "bash",
	conf: "ini",
	cfg: "ini",
	env: "ini",
};

/** The language that a file is coloured in, as the worker of the code blocks knows it; empty where its name does not tell. */
export function languageOf(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
	const known = NAMES[name];
	if (known !== undefined) return known;
	const dot = name.lastIndexOf(".");
	const ending = dot < 0 ? "" : name.slice(dot + 1);
	return ENDINGS[ending] ?? ending.replace(/[^\w+#-]/g, "");
}

/** Pictures that a browser draws. */
export const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i.test(path);
