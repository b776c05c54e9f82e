import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer } from "../../../scripts/lib/nats-server.mjs";
import { createFaultProxy, type FaultProxy } from "../../support/fault-proxy.ts";
import { freePort } from "../../support/free-port.ts";
import { launchNats } from "../../support/nats.ts";

export const NODES = [0, 1, 2] as const;
/** One of the three servers. */
export type NodeIndex = (typeof NODES)[number];

/** How all of them are set up; what is left out is as a person would have it. */
export interface ClusterSettings {
	maxPayload: string;
	password: string;
}

/** Three real NATS servers with JetStream in one cluster. What they say to each other goes through proxies, one for each pair and caller. */
export interface Cluster {
	/** Host and port of each, for an operator, without any proxy. */
	readonly urls: readonly string[];
	readonly version: string;
	/** SIGKILL. */
	kill(node: NodeIndex): Promise<void>;
	start(node: NodeIndex): Promise<void>;
	isUp(node: NodeIndex): boolean;
	/** SIGSTOP, SIGCONT. */
	freeze(node: NodeIndex, isFrozen: boolean): void;
	/** Removes what a node that is down has stored. */
	wipe(node: NodeIndex): void;
	/** Nothing passes between two nodes; with `oneWay` only what the first says is lost. */
	part(one: NodeIndex, other: NodeIndex, oneWay?: boolean): void;
	/** Routes pass, every node is awake and up. */
	heal(): Promise<void>;
	/** Read by every node that is up, without a restart. */
	configure(settings: Partial<ClusterSettings>): void;
	settings(): ClusterSettings;
	/** The ways of one client to the nodes. */
	doors(): Promise<Doors>;
	close(): Promise<void>;
}

/** One proxy for each node, for one client alone, so that it can be seen and chosen which node it uses. */
export interface Doors {
	/** As RIGHTSEAT_FLEET_URL takes it. */
	readonly url: string;
	readonly all: readonly FaultProxy[];
	/** Nodes with a connection of this client. */
	used(): NodeIndex[];
	/** Makes it use this node and no other; resolves when it does. */
	moveTo(node: NodeIndex, connections: number): Promise<void>;
	close(): Promise<void>;
}

interface Node {
	name: string;
	port: number;
	clusterPort: number;
	folder: string;
	store: string;
	child?: ChildProcess | undefined;
}

const USER = "fleet";
/** More than all streams together may take on one node. */
const MAX_FILE_STORE = "20G";
const READY_LIMIT_MS = 30_000;

/** `stores`: where a node keeps its streams, if not beside its configuration; `first`: those that start at once. */
export async function startCluster(stores: Partial<Record<NodeIndex, string>> = {}, first: readonly NodeIndex[] = NODES): Promise<Cluster> {
	const program = findNatsServer();
	if (program === undefined) throw new Error("There is no nats-server here. Install it, or set NATS_SERVER_PATH to one.");
	const folder = mkdtempSync(join(tmpdir(), "rightseat-cluster-"));
	const settings: ClusterSettings = { maxPayload: "1MB", password: "first" };
	const nodes: Node[] = [];
	for (const index of NODES) {
		const own = join(folder, `n${index + 1}`);
		mkdirSync(own);
		const [port, clusterPort] = [await freePort(), await freePort()];
		nodes.push({ name: `n${index + 1}`, port, clusterPort, folder: own, store: stores[index] ?? join(own, "js") });
	}
	/** By caller, then by called. */
	const routes: (FaultProxy | undefined)[][] = [];
	for (const caller of NODES) {
		routes[caller] = [];
		for (const called of NODES)
			if (caller !== called) (routes[caller] ?? [])[called] = await createFaultProxy({ port: nodeOf(called).clusterPort });
	}
	const route = (caller: NodeIndex, called: NodeIndex) => routes[caller]?.[called];
	const all = () => routes.flat().filter((each) => each !== undefined);

	function nodeOf(index: NodeIndex): Node {
		const node = nodes[index];
		if (node === undefined) throw new Error(`There is no node ${index}.`);
		return node;
	}
	function write(index: NodeIndex): void {
		const { name, port, clusterPort, folder: own, store } = nodeOf(index);
		const others = NODES.flatMap((called) => route(index, called)?.port ?? []).map((each) => `"nats-route://127.0.0.1:${each}"`);
		writeFileSync(
			join(own, "nats.conf"),
			[
				`server_name: ${name}`,
				`listen: "127.0.0.1:${port}"`,
				`max_payload: ${settings.maxPayload}`,
				`jetstream { store_dir: "${store}", max_file_store: ${MAX_FILE_STORE} }`,
				`authorization { user: ${USER}, password: "${settings.password}" }`,
				// Nobody is told of an address that is not a proxy: a way around it would be no partition.
				`cluster { name: proof, listen: "127.0.0.1:${clusterPort}", advertise: "127.0.0.1:9", no_advertise: true, routes: [${others.join(", ")}] }`,
			].join("\n"),
		);
	}
	async function start(index: NodeIndex): Promise<void> {
		const node = nodeOf(index);
		if (node.child !== undefined) return;
		write(index);
		node.child = await launchNats(String(program), node.folder);
	}
	async function kill(index: NodeIndex): Promise<void> {
		const { child } = nodeOf(index);
		nodeOf(index).child = undefined;
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, "exit");
		child.kill("SIGKILL");
		await ended;
	}
	const endAll = () => {
		for (const { child } of nodes) child?.kill("SIGKILL");
	};
	process.once("exit", endAll);
	await Promise.all(first.map(start));
	return {
		urls: nodes.map(({ port }) => `127.0.0.1:${port}`),
		version: execFileSync(program, ["--version"], { encoding: "utf8" }).trim().replace(/^.*v/, ""),
		kill,
		start,
		isUp: (index) => nodeOf(index).child !== undefined,
		freeze: (index, isFrozen) => void nodeOf(index).child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT"),
		wipe: (index) => rmSync(join(nodeOf(index).store, "jetstream"), { recursive: true, force: true }),
		part(one, other, oneWay = false) {
			route(one, other)?.freeze(oneWay ? "to-server" : undefined);
			route(other, one)?.freeze(oneWay ? "to-client" : undefined);
		},
		async heal() {
			for (const proxy of all()) proxy.resume();
			for (const index of NODES) nodeOf(index).child?.kill("SIGCONT");
			await Promise.all(NODES.map(start));
		},
		configure(next) {
			Object.assign(settings, next);
			for (const index of NODES) {
				write(index);
				nodeOf(index).child?.kill("SIGHUP");
			}
		},
		settings: () => ({ ...settings }),
		doors: () => openDoors(nodes.map(({ port }) => port)),
		async close() {
			process.off("exit", endAll);
			await Promise.all(NODES.map(kill));
			for (const proxy of all()) await proxy.close();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

async function openDoors(ports: readonly number[]): Promise<Doors> {
	const all = await Promise.all(ports.map((port) => createFaultProxy({ port })));
	const used = () => NODES.filter((index) => (all[index]?.connections() ?? 0) > 0);
	return {
		url: all.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
		all,
		used,
		async moveTo(node, connections) {
			for (const index of NODES) if (index !== node) all[index]?.refuse();
			// Also what is there already: a connection that is about to end must not count.
			for (const door of all) door.cut();
			const limit = Date.now() + READY_LIMIT_MS;
			while ((all[node]?.connections() ?? 0) < connections) {
				if (Date.now() > limit) throw new Error("A server did not come to the node that was chosen for it.");
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
			for (const door of all) door.resume();
		},
		async close() {
			for (const door of all) await door.close();
		},
	};
}
