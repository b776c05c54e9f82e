import type { Plugin, Rolldown } from "vite";

/** What every part of the page uses. Sentences for errors come after the first paint, with the parts that say errors; what only changes, files, settings, dialogs and answers need comes with them. */
const BASE =
	/packages\/protocol\/src\/(?!duration\.|sentences\/(?:\w+-sentences|describe-reached)|model\/(?:inbox|folder-setup|remembered-rule)\.|diff\/|fleet\/|form\/|http\/(?:agents|app|budget|changes|context|files|fleet-routes|fleet-status|folders|git|inbox|login|login-methods|mcp|mcp-servers|model-account|passkey-options|permissions|route|schedules|setup|shares|telegram|usage|worktrees)\.)|\/src\/(ui(?!\/(?:copy-|dialog|select|visible))|state|i18n(?!\/(?:use-error-text|duration-units))|api|connection|storage(?!\/forget-browser))\/|node_modules\/(react|react-dom|scheduler|zustand|zod|clsx|wouter|use-sync-external-store)\//;

/** The parts that every page fetches as soon as it stands. */
const SOON =
	/\/src\/(?:transcript\/log\/conversation-log|welcome\/welcome-slot|composer\/beside-box|app\/right-panel|agent\/agent-picker|inbox\/inbox-entry|setup\/setup-entry|sidebar\/search-results)\.tsx?$/;

type Needs = (id: string, context: Rolldown.ChunkingContext) => boolean;

/**
 * A few files instead of many small ones: each request is a round trip and costs both ends. Beside the entry a base that seldom changes,
 * and one file with all that the page fetches when it stands.
 */
export function chunkGroups(): Plugin {
	const icons = new Map<string, string[]>();
	const atFirst = neededBy((_id, isEntry) => isEntry, icons);
	const soon = neededBy((id) => SOON.test(id), icons);
	const groups = [
		{ name: "base", test: BASE, priority: 3 },
		// What the entry needs stays with it; else the parts that come soon would take along what they share with it.
		{ name: (id: string, context: Rolldown.ChunkingContext) => (atFirst(id, context) ? "index" : null), priority: 2 },
		{ name: (id: string, context: Rolldown.ChunkingContext) => (soon(id, context) ? "soon" : null), priority: 1 },
	];
	return {
		name: "chunk-groups",
		apply: "build",
		enforce: "pre",
		config: () => ({ build: { rolldownOptions: { output: { advancedChunks: { groups } } } } }),
		transform(code, id) {
			for (const [, names = ""] of code.matchAll(/import \{([^}]*)\} from "lucide-react"/g))
				for (const name of names.split(",")) note(icons, fileOfIcon(name), id);
		},
	};
}

/** Whether something that `isRoot` names imports a file, itself or by others. What is only fetched later does not count. */
function neededBy(isRoot: (id: string, isEntry: boolean) => boolean, icons: ReadonlyMap<string, string[]>): Needs {
	const known = new Map<string, boolean>();
	return function isNeeded(id: string, context: Rolldown.ChunkingContext): boolean {
		const answer = known.get(id);
		if (answer !== undefined) return answer;
		const found = context.getModuleInfo(id);
		// Two files that import each other must not ask each other for ever.
		known.set(id, false);
		const icon = /lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/.exec(id)?.[1];
		// All icons are imported by one file that names them all; who uses one says its name.
		const importers = icon === undefined ? (found?.importers ?? []) : (icons.get(icon) ?? []);
		const needed = isRoot(id, found?.isEntry === true) || importers.some((importer) => isNeeded(importer, context));
		known.set(id, needed);
		return needed;
	};
}

function note(icons: Map<string, string[]>, icon: string, importer: string): void {
	icons.set(icon, [...(icons.get(icon) ?? []), importer]);
}

/** `ChevronRight` is in `chevron-right.mjs`, `Trash2` in `trash-2.mjs`. */
const fileOfIcon = (name: string) =>
	name
		.trim()
		.replace(/ as .*$/, "")
		.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, "-")
		.toLowerCase();
