import type { ReachView } from "@rightseat/protocol/http/reach";
import type { lanNames } from "./lan-names.ts";
import { choosePort, type Tailscale, tailnetUrl } from "./tailscale.ts";
import type { PairWords } from "./words.ts";

/** One above the port on which Rightseat listens by itself. */
const LAN_PORT = 7418;

/** A way that could be opened now. */
export type Way =
	| { kind: "configured"; url: string }
	| { kind: "url"; url: string }
	| { kind: "tailscale"; url: string; port: number; target: string; addresses: string[] }
	| { kind: "lan"; url: string; port: number };

/** What a person is told of a way, and the way itself when it is ready. */
export interface FoundWay {
	kind: Way["kind"];
	line: string;
	way?: Way;
}

export interface Wanted {
	/** Where the server listens on this machine. */
	listening: string;
	configured: string | undefined;
	/** What is paired already. */
	reach: ReachView | undefined;
	port: number | undefined;
	/** What this machine is called in its local network. */
	lan: ReturnType<typeof lanNames>;
}

/** Looks for every way there is. Changes nothing. */
export async function findWays(wanted: Wanted, { tailscale, words }: { tailscale: Tailscale; words: PairWords }): Promise<FoundWay[]> {
	const { configured } = wanted;
	return [
		configured === undefined
			? { kind: "configured", line: words.notConfigured }
			: { kind: "configured", line: words.configured(configured), way: { kind: "configured", url: configured } },
		await findTailscale(wanted, tailscale, words),
		findLan(wanted, words),
		{ kind: "url", line: words.url },
	];
}

async function findTailscale({ listening, port }: Wanted, tailscale: Tailscale, words: PairWords): Promise<FoundWay> {
	const state = await tailscale.look();
	const said = words.tailscale;
	const none = (line: string): FoundWay => ({ kind: "tailscale", line });
	switch (state.kind) {
		case "missing":
			return none(said.missing);
		case "logged-out":
			return none(said.loggedOut);
		case "stopped":
			return none(said.stopped(state.detail));
		case "no-https":
			return none(said.noHttps);
		case "unreadable":
			return none(said.unreadable(state.detail));
		case "ready": {
			const target = serveTarget(listening);
			const free = choosePort(state, target, port);
			if (free === undefined) return none(said.portTaken(port));
			const url = tailnetUrl(state.name, free);
			return { kind: "tailscale", line: said.ready(url), way: { kind: "tailscale", url, port: free, target, addresses: state.addresses } };
		}
	}
}

/** What Tailscale Serve is told to lead to: our own certificate is for the name that others use, not for this address. */
const serveTarget = (listening: string): string => listening.replace(/^https:/, "https+insecure:");

function findLan({ port, reach, lan }: Wanted, words: PairWords): FoundWay {
	const address = lan.addresses[0];
	if (address === undefined) return { kind: "lan", line: words.lan.none };
	const chosen = port ?? (reach?.way === "lan" ? reach.port : undefined) ?? LAN_PORT;
	const url = `https://${address}:${chosen}`;
	return { kind: "lan", line: words.lan.possible(url), way: { kind: "lan", url, port: chosen } };
}
