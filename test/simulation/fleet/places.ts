import { createHash, createPrivateKey } from "node:crypto";
import type { Signed } from "@rightseat/protocol/fleet/command";
import { type HostKeys, restoreHostKeys } from "../../../packages/server/src/fleet/crypto/host-keys.ts";
import { commitmentOf } from "../../../packages/server/src/fleet/crypto/key-box.ts";
import type { FleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createMembers } from "../../../packages/server/src/fleet/members/members.ts";
import { type Act, signStatement } from "../../../packages/server/src/fleet/members/statement.ts";
import { memoryHome } from "../../../packages/server/src/fleet/runtime/fleet-bed-harness.ts";

/** Who the hosts of a simulated fleet are: the same in every round, because names are of their keys and order follows from names. */
export interface Places {
	fleet: string;
	keys: readonly HostKeys[];
	/** The disk of a host that belongs to the fleet, with the first so many. */
	home(index: number, count: number): FleetHome;
}

const NAMES = ["desk", "laptop", "tower"] as const;

/** Made once: signatures are dear. */
export function createPlaces(): Places {
	const [root, ...keys] = ["root", ...NAMES].map(keysNamed);
	if (root === undefined) throw new Error("A fleet needs a root.");
	const content = seedOf("content key");
	const histories = keys.map((_, index) => historyOf(root, keys.slice(0, index + 1), content));
	return {
		fleet: root.host,
		keys,
		home(index, count) {
			const [home, own] = [memoryHome(), keys[index]];
			if (own === undefined) throw new Error(`There is no host ${index}.`);
			void home.history.append(histories[count - 1] ?? []);
			void home.contentKeys.append([{ number: 1, secret: content.toString("base64url") }]);
			void home.take({ fleet: root.host, name: NAMES[index] ?? "host", since: 1, keys: own, root: index === 0 ? root : undefined });
			return home;
		},
	};
}

function historyOf(root: HostKeys, hosts: readonly HostKeys[], content: Buffer): Signed[] {
	const members = createMembers(root.host);
	return hosts.map((each, index) => {
		const member = { host: each.host, keys: each.publicKeys, role: "full" as const };
		const act: Act =
			index === 0
				? { kind: "found", root: root.publicKeys, member, number: 1, commitment: commitmentOf(content) }
				: { kind: "add", member, invite: `invite-000${index}` };
		const signed = signStatement(root, "root", members.next(act, 1));
		members.accept(signed);
		return signed;
	});
}

const seedOf = (name: string) => createHash("sha256").update(`simulated ${name}`).digest();

/** Keys that follow from a name; nobody may ever use them for anything else. */
function keysNamed(name: string): HostKeys {
	const [sign, box] = [
		textsOf("302e020100300506032b657004220420", `${name} sign`),
		textsOf("302e020100300506032b656e04220420", `${name} box`),
	];
	const keys = restoreHostKeys({ sign: sign.x, box: box.x, signSecret: sign.d, boxSecret: box.d });
	if (keys === undefined) throw new Error("These are no keys.");
	return keys;
}

function textsOf(prefix: string, name: string): { x: string | undefined; d: string | undefined } {
	const key = Buffer.concat([Buffer.from(prefix, "hex"), seedOf(name)]);
	const { x, d } = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "jwk" });
	return { x, d };
}
