/** The addresses in a setting: one, or several of one cluster with commas between them. */
export const splitAddresses = (url: string): string[] =>
	url
		.split(",")
		.map((address) => address.trim())
		.filter((address) => address !== "");

/** Does this address stay on this machine? */
export function isLoopbackAddress(address: string): boolean {
	const name = hostOf(address);
	return name === "localhost" || name === "::1" || /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** Name or number of the machine; empty when it is no address. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, "$1") : "");
