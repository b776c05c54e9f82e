import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";

/** Where a name may lead inside: this machine, its network, other people's tests. */
const INSIDE_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Of the addresses that are global by their number: documentation, and tunnels, which carry an IPv4 address of anybody's choice. */
const INSIDE_V6 = "2001::/23 2001:db8::/32 2002::/16";

const inside = new BlockList();
for (const [nets, family] of [[INSIDE_V4, "ipv4"] as const, [INSIDE_V6, "ipv6"] as const]) {
	for (const net of nets.split(/\s+/)) {
		const [address = "", bits] = net.split("/");
		inside.addSubnet(address, Number(bits), family);
	}
}
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");

/** True for addresses of the internet at large. */
export function isPublicAddress(address: string): boolean {
	const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
	if (isIP(plain) === 4) return !inside.check(plain, "ipv4");
	return isIP(plain) === 6 && global.check(plain, "ipv6") && !inside.check(plain, "ipv6");
}

export type Resolve = (name: string) => Promise<string[]>;

export const resolveName: Resolve = (name) =>
	new Promise((resolve, reject) => {
		systemLookup(name, { all: true }, (error, found) => (error === null ? resolve(found.map(({ address }) => address)) : reject(error)));
	});

/** For connections to addresses that came from outside: looked up once, checked, and connected to just that. */
export function publicLookup(resolve: Resolve): LookupFunction {
	return (name, options, done) => {
		resolve(name).then(
			(addresses) => {
				const stranger = addresses.find((address) => !isPublicAddress(address));
				const [first] = addresses;
				if (stranger !== undefined || first === undefined)
					return done(
						new AppError("forbidden", `${name} leads to an address inside this network.`, { params: { reason: "inside-address", name } }),
						"",
					);
				if (options.all === true)
					done(
						null,
						addresses.map((address) => ({ address, family: isIP(address) })),
					);
				else done(null, first, isIP(first));
			},
			(error: unknown) => done(error instanceof Error ? error : toAppError(error), ""),
		);
	};
}
