import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** As V8's profiler gives it. */
export interface CpuProfile {
	nodes: ProfileNode[];
	samples?: number[];
	/** Microseconds from the sample before. */
	timeDeltas?: number[];
}
interface ProfileNode {
	id: number;
	callFrame: Frame;
	children?: number[];
}
export interface Frame {
	functionName: string;
	url: string;
	lineNumber: number;
	columnNumber: number;
}

/** Which room a call stack is in, the function that runs first and its callers after it. Undefined: it does nothing. */
export type RoomOf = (stack: readonly Frame[]) => string | undefined;

/** Microseconds that were spent in each room; time without anything to do is in none. */
export function timeByRoom({ nodes, samples = [], timeDeltas = [] }: CpuProfile, roomOf: RoomOf): Map<string, number> {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
	const rooms = new Map(nodes.map((node) => [node.id, roomOf(stackOf(node))]));
	function stackOf(node: ProfileNode): Frame[] {
		const stack: Frame[] = [];
		for (let at: ProfileNode | undefined = byId.get(node.id); at !== undefined; at = parents.get(at.id)) stack.push(at.callFrame);
		return stack;
	}
	const times = new Map<string, number>();
	for (const [index, id] of samples.entries()) {
		const room = rooms.get(id);
		// A sample lasts until the next one.
		if (room !== undefined) times.set(room, (times.get(room) ?? 0) + (timeDeltas[index + 1] ?? 0));
	}
	return times;
}

/** What V8 does itself, as it calls it; null: nothing. */
const OF_V8 = new Map<string, string | null>([
	["(idle)", null],
	["(garbage collector)", "garbage collection"],
	["(program)", "native code outside of JavaScript: the loop, system calls"],
]);

/** First match; below a file in none of them its callers are looked at. */
const ROOMS: readonly [RegExp, string][] = [
	[/copilot-sdk|vscode-jsonrpc/, "the agent SDK: its messages"],
	[/store\/sqlite\/(?:sync-thread|durability)/, "handing over to the thread that syncs"],
	[/server\/src\/store\//, "commits: statements and SQLite"],
	[/server\/src\/runtime\//, "the SDK's events become ours"],
	[/protocol\/src\/fold\//, "the fold of the running turn"],
	[/core\/(?:log\/|kernel\/redact)/, "the log: redacting, coalescing, frames, rings"],
	[/server\/src\/core\//, "turns and the rest of core"],
	[/channels\/web\/|node_modules\/ws\//, "sockets of readers"],
	[/packages\/|node_modules\//, "the rest of the server"],
];

/** The rooms of the built server. */
export function createServerRooms(sourceOf: (frame: Frame) => string = createSources()): RoomOf {
	return (stack) => {
		const itself = OF_V8.get(stack[0]?.functionName ?? "");
		if (itself !== undefined) return itself ?? undefined;
		for (const frame of stack) {
			const source = sourceOf(frame);
			const room = ROOMS.find(([pattern]) => pattern.test(source));
			if (room !== undefined) return room[1];
		}
		return "Node: pipes, timers, promises";
	};
}

/** The rooms of the page: its files, and whether they are being evaluated. */
export const pageRoomOf: RoomOf = (stack) => {
	const name = stack[0]?.functionName ?? "";
	if (name === "(program)") return "the browser itself: compiling, style, layout";
	const itself = OF_V8.get(name);
	if (itself !== undefined) return itself ?? undefined;
	const fileOf = ({ url }: Frame) => /\/([\w.-]+?)(?:-[\w-]{8})?\.js$/.exec(url)?.[1];
	const outermost = stack.findLast((frame) => frame.url !== "");
	const file = stack.map(fileOf).find((found) => found !== undefined);
	if (outermost === undefined || file === undefined) return "the browser's own functions";
	return outermost.functionName === "" && outermost.lineNumber === 0 && outermost.columnNumber === 0
		? `evaluating ${fileOf(outermost)}.js`
		: `running ${file}.js`;
};

/** Where a function of a bundle was written. */
function createSources(): (frame: Frame) => string {
	const maps = new Map<string, SourceMap | undefined>();
	return ({ url, lineNumber, columnNumber }) => {
		if (!url.startsWith("file:")) return url;
		const file = fileURLToPath(url);
		if (!maps.has(file))
			maps.set(file, existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))) : undefined);
		const entry = maps.get(file)?.findEntry(lineNumber, columnNumber);
		return entry !== undefined && "originalSource" in entry ? resolve(dirname(file), entry.originalSource) : file;
	};
}
