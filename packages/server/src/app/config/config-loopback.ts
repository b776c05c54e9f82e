import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** True only for addresses that no other machine can reach. Looks at the parsed address: `127.evil.example` is a name, not loopback. */
export function isLoopbackHost(host: string): boolean {
	if (host.toLowerCase() === "localhost") return true;
	const version = isIP(host);
	if (version === 0) return false;
	return loopback.check(host, version === 4 ? "ipv4" : "ipv6");
}
