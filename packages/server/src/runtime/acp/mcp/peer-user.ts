import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";

/** Both ends of a connection within this machine. */
export type Ends = Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">;

const ESTABLISHED = "01";
/** The kernel's table is no snapshot: a row can be missed while others come and go. */
const LOOKS = 3;

/**
 * Is a program of another user at the other end? Agents hand our token on as they like, some of them as an argument of a process, which every user of the
 * machine can read. False also where the system does not tell: it has no such table, or one without our own end.
 */
export async function isOfAnotherUser(ends: Ends, own = process.getuid?.(), readTable = readTcpTable): Promise<boolean> {
	if (own === undefined) return false;
	for (let look = 1; look <= LOOKS; look += 1) {
		const rows = parseRows(await readTable());
		const [here, there] = [endOf(ends.localAddress, ends.localPort), endOf(ends.remoteAddress, ends.remotePort)];
		if (!rows.some(({ local, remote }) => local === here && remote === there)) return false;
		// An end that was closed already has lost its user and stands there as root's.
		const peer = rows.find(({ local, remote, state }) => local === there && remote === here && state === ESTABLISHED);
		if (peer !== undefined) return peer.uid !== own;
	}
	return true;
}

async function readTcpTable(): Promise<string> {
	const tables = await Promise.all(["tcp", "tcp6"].map((family) => readFile(`/proc/net/${family}`, "utf8").catch(() => "")));
	return tables.join("\n");
}

/** Number, local end, remote end, state, queues, timer, retransmits, user. */
function parseRows(table: string): { local: string; remote: string; state: string; uid: number }[] {
	return table.split("\n").flatMap((line) => {
		const [, local = "", remote = "", state = "", , , , uid = ""] = line.trim().split(/\s+/);
		return /^[0-9A-F]+:[0-9A-F]{4}$/.test(local) ? [{ local: plain(local), remote: plain(remote), state, uid: Number(uid) }] : [];
	});
}

/** A program may speak IPv4 through a socket of IPv6. */
const plain = (end: string) => end.replace(/^0{16}(?:FFFF0000|0000FFFF)/, "");

/** As the kernel writes it: the four bytes in the machine's own order. */
function endOf(address = "", port = 0): string {
	const bytes = address
		.replace(/^::ffff:/, "")
		.split(".")
		.map((byte) => hex(Number(byte), 2));
	const ordered = endianness() === "LE" ? bytes.reverse() : bytes;
	return `${ordered.join("")}:${hex(port, 4)}`;
}

const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
