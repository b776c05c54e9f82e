import { createServer as createPlainServer } from "node:http";
import { BlockList, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from "node:tls";
import type { ReachView } from "@rightseat/protocol/http/reach";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { answerTrustPage } from "./trust-page.ts";

/** Sockets in the local network, in whatever state. */
export const MAX_LAN_SOCKETS = 256;
const FIRST_BYTE_MS = 10_000;
/** How often the names and the age of the certificate are looked at: a laptop that was carried elsewhere has another address. */
const LOOK_AGAIN_MS = 10 * 60_000;
/** The first byte of a TLS connection; no HTTP request begins with it. */
const TLS_HANDSHAKE = 22;

/** A certificate for this machine in its local network, signed by an authority of our own. */
export interface LanCertificate {
	/** PEM texts. */
	cert: string;
	key: string;
	/** The authority that phones are asked to trust, as DER. */
	ca: Uint8Array;
	/** SHA-256 of it. */
	fingerprint: string;
	/** What it is valid for, the first is for people. */
	names: readonly string[];
}

export interface LanCertificates {
	/** The same object as long as it is valid for this machine as it is now. Without an address in a local network: undefined. */
	issue(): Promise<LanCertificate | undefined>;
	/** Removes the authority with its key. */
	forget(): void;
}

/** A second port, for the local network: HTTPS, and beside it a page that says how a phone comes to trust it. */
export interface Lan {
	/** Listens, or listens already. Throws `port-in-use`. */
	open(port: number): Promise<void>;
	/** Ends every connection of it. */
	close(): Promise<void>;
	/** Where the page is, while it is open. */
	addresses(): readonly string[];
	view(): Pick<ReachView, "also" | "fingerprint">;
	forget(): void;
}

interface Opened {
	front: Server;
	tls: TlsServer;
	port: number;
	certificate: LanCertificate;
	sockets: Set<Socket>;
	cancel: Cancel;
}

export function createLan(deps: {
	certificates: LanCertificates;
	/** Takes a connection that speaks HTTP inside of TLS. */
	deliver(socket: TLSSocket): void;
	/** Whom it listens to; default: private addresses. */
	listensTo?: (address: string | undefined) => boolean;
	clock: Pick<Clock, "after">;
	logger: Pick<Logger, "warn">;
}): Lan {
	const { certificates, clock, logger, listensTo = isNear } = deps;
	let opened: Opened | undefined;

	async function lookAgain(lan: Opened): Promise<void> {
		try {
			const certificate = await certificates.issue();
			if (certificate !== undefined && certificate !== lan.certificate) {
				lan.certificate = certificate;
				lan.tls.setSecureContext(secureOptions(certificate));
			}
		} catch (error) {
			logger.warn({ err: error }, "The certificate for the local network could not be renewed");
		}
		if (opened === lan) lan.cancel = clock.after(LOOK_AGAIN_MS, () => void lookAgain(lan));
	}

	async function close(): Promise<void> {
		const lan = opened;
		opened = undefined;
		if (lan === undefined) return;
		lan.cancel();
		const closed = new Promise((resolve) => lan.front.close(resolve));
		for (const socket of lan.sockets) socket.destroy();
		await closed;
	}

	const addresses = () => (opened === undefined ? [] : opened.certificate.names.map((name) => `https://${name}:${opened?.port}`));
	return {
		async open(port) {
			if (opened?.port === port) return;
			await close();
			const certificate = await certificates.issue();
			if (certificate === undefined) return;
			const tls = createTlsServer({ ...secureOptions(certificate), minVersion: "TLSv1.2", handshakeTimeout: FIRST_BYTE_MS }, deps.deliver);
			// A stranger who breaks off, or does not trust us yet.
			tls.on("tlsClientError", (_error, socket) => socket.destroy());
			const plain = createPlainServer(
				{ maxHeaderSize: 8 * 1024, requestTimeout: FIRST_BYTE_MS, keepAliveTimeout: 1 },
				(request, response) => answerTrustPage(request, response, { certificate: lan.certificate, addresses: addresses() }),
			);
			const sockets = new Set<Socket>();
			const front = createServer((socket) => sortOut(socket, { tls, plain, sockets, listensTo }));
			front.maxConnections = MAX_LAN_SOCKETS;
			await listen(front, port);
			const lan: Opened = { front, tls, port, certificate, sockets, cancel: () => undefined };
			lan.cancel = clock.after(LOOK_AGAIN_MS, () => void lookAgain(lan));
			opened = lan;
		},
		close,
		addresses,
		view() {
			const also = addresses().slice(1);
			return opened === undefined ? {} : { ...(also.length === 0 ? {} : { also }), fingerprint: opened.certificate.fingerprint };
		},
		forget: certificates.forget,
	};
}

const secureOptions = ({ cert, key }: LanCertificate) => ({ cert, key });

/** By the first byte: one port for both, so that the address to trust and the address to open differ only in an `s`. */
function sortOut(
	socket: Socket,
	{ tls, plain, sockets, listensTo }: { tls: Server; plain: Server; sockets: Set<Socket>; listensTo: typeof isNear },
): void {
	sockets.add(socket);
	socket.on("close", () => sockets.delete(socket));
	socket.on("error", () => socket.destroy());
	// A machine can have an address in the internet as well; nobody said yes to that one.
	if (!listensTo(socket.localAddress) || !listensTo(socket.remoteAddress)) {
		socket.destroy();
		return;
	}
	socket.setTimeout(FIRST_BYTE_MS, () => socket.destroy());
	socket.once("data", (first: Buffer) => {
		socket.setTimeout(0);
		socket.removeAllListeners("timeout");
		socket.pause();
		socket.unshift(first);
		(first[0] === TLS_HANDSHAKE ? tls : plain).emit("connection", socket);
		process.nextTick(() => socket.resume());
	});
}

function listen(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", (error: Error & { code?: string }) => {
			const address = `0.0.0.0:${port}`;
			reject(
				error.code === "EADDRINUSE" || error.code === "EACCES"
					? new AppError("port-in-use", `Port ${port} cannot be used for the local network. Choose another with --port.`, {
							cause: error,
							params: { address },
						})
					: error,
			);
		});
		// IPv4 only: with IPv6 every machine of a home network has an address in the internet.
		server.listen({ host: "0.0.0.0", port }, resolve);
	});
}

const near = new BlockList();
for (const net of ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"]) {
	const [address = "", bits] = net.split("/");
	near.addSubnet(address, Number(bits), "ipv4");
}

/** In a local network, or this machine itself. */
export const isNear = (address: string | undefined): boolean => address !== undefined && near.check(address, "ipv4");
