import { hostname, type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { isNear } from "../../channels/web/reach/lan.ts";

/** Networks inside of this machine, of virtual machines and of tunnels: no phone is in there. */
const INNER = /^(?:lo|docker|podman|br-|veth|virbr|vboxnet|vmnet|bridge|cni|flannel|utun|tun|tap|wg|zt|tailscale|awdl|llw)/;

/** What this machine is called in its local network: its addresses, and the name under which many networks find it. */
export function lanNames(
	interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
	name = hostname(),
): { addresses: string[]; name: string | undefined } {
	const addresses = Object.entries(interfaces)
		.filter(([card]) => !INNER.test(card))
		.flatMap(([, infos = []]) => infos)
		.filter(({ family, internal, address }) => family === "IPv4" && !internal && isNear(address))
		.map(({ address }) => address);
	const bare = name.toLowerCase().replace(/\.local$/, "");
	return { addresses: [...new Set(addresses)], name: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(bare) ? `${bare}.local` : undefined };
}
