import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runFleet } from "../../../packages/server/src/app/fleet/fleet-command.ts";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { conversationId, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createFences } from "../../../packages/server/src/fleet/commands/fences.ts";
import { withBoot } from "../../../packages/server/src/fleet/fleet-clock.ts";
import { createFleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { keptDoor } from "../../../packages/server/src/fleet/nats/kept-files.ts";
import { sharedLogin } from "../../../packages/server/src/fleet/nats/logins.ts";
import { createFleet } from "../../../packages/server/src/fleet/runtime/create-fleet.ts";
import { createFakeOwner, createView } from "../../../packages/server/src/fleet/runtime/fake-owner-harness.ts";
import { freePort } from "../../support/free-port.ts";
import { hasNats, startMadeNats, startNats, type TestNats } from "../../support/nats.ts";

/** Long, because the machine may be busy: what is awaited comes by itself. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 40_000, interval: 50 });

/** One NATS with TLS and users, as `rightseat fleet nats-config` makes it, and hosts that are given nothing but a code. */
describe.skipIf(!hasNats)("trust, on a NATS server that refuses strangers", () => {
	const made = mkdtempSync(join(tmpdir(), "rightseat-trust-"));
	const folder = join(made, "nats");
	const homes = { desk: join(made, "desk"), laptop: join(made, "laptop"), late: join(made, "late") };
	const servers: ReturnType<typeof createFleet>[] = [];
	const fakes: ReturnType<typeof createFakeOwner>[] = [];
	let nats: TestNats;
	let url = "";

	/** The command as a person without any setting runs it. */
	async function fleet(home: string, args: readonly string[], options: { answer?: string; onOut?: (text: string) => void } = {}) {
		const [out, err]: [string[], string[]] = [[], []];
		const print = (text: string) => {
			out.push(text);
			options.onOut?.(text);
		};
		const cli = { argv: [], env: { LANG: "C" }, cwd: made, print, printError: (text: string) => void err.push(text), commands: [] };
		const person = options.answer === undefined ? undefined : () => Promise.resolve(options.answer ?? "");
		const code = await runFleet([...args, "--home", home], cli, { person, signal: new AbortController().signal });
		return { code, out: out.join("\n"), err: err.join("\n") };
	}
	async function start(home: string) {
		const fake = createFakeOwner();
		const link = { url, allowOld: false, keptIn: join(home, "fleet"), ...configured(home) };
		const server = createFleet({
			...{ home: createFleetHome(home), owner: fake.owner, fences: createFences(new Map(), () => undefined), allow: "full" },
			...{ version: "1.0.0", machine: "here", clock: withBoot(systemClock), ids: randomIds, logger: silentLogger, url },
			share: () => ({ credentials: sharedLogin(link), door: keptDoor(link.keptIn) }),
			connect: () => createNatsCourier(link, { clock: systemClock, name: "test" }),
		});
		servers.push(server);
		fakes.push(fake);
		await server.start();
		return { server, fake };
	}
	function configured(home: string) {
		const { fleetCreds: credsFile, fleetCa: caFile } = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
		return { credsFile, caFile };
	}
	const states = (server: ReturnType<typeof createFleet>) => server.hosts().map(({ name, state }) => `${name} ${state}`);
	/** One host with its own key on the bus, without our rules. */
	async function asHost(home: string) {
		const seed = readFileSync(join(home, "fleet", "nats.nk"));
		const tls = { ca: readFileSync(join(folder, "ca.pem"), "utf8"), checkServerIdentity: () => undefined };
		return await connect({ servers: `localhost:${nats.port}`, tls, authenticator: nkeyAuthenticator(seed) });
	}

	beforeAll(async () => {
		const port = await freePort();
		url = `tls://127.0.0.1:${port}`;
		const said = await fleet(homes.desk, ["nats-config", "nats", "--listen", `127.0.0.1:${port}`]);
		expect(said).toMatchObject({ code: 0, err: "" });
		nats = await startMadeNats(folder, port);
		// Exactly what it told us to run next.
		const next =
			said.out
				.split("\n")
				.find((line) => line.includes("fleet init"))
				?.trim()
				.split(" ")
				.slice(2) ?? [];
		expect(await fleet(homes.desk, [...next, "--name", "desk", "--team"])).toMatchObject({ code: 0, err: "" });
	}, 60_000);
	afterAll(async () => {
		await Promise.all(servers.map((server) => server.close()));
		await nats?.close();
		rmSync(made, { recursive: true, force: true, maxRetries: 5 });
	});

	test("[FL291] with nothing but a code a host joins a NATS server that asks for TLS and a password, and keeps what it was sent for its owner only", async () => {
		const desk = await start(homes.desk);
		await until(() => expect(states(desk.server)).toEqual(["desk online"]));
		for (const name of readdirSync(folder)) {
			if (name !== "jetstream") expect(`${name} ${(statSync(join(folder, name)).mode & 0o077).toString(8)}`).toBe(`${name} 0`);
		}
		const { out: code } = await fleet(homes.desk, ["invite"]);
		// The code alone does not open anything but the door.
		const shared = readFileSync(join(folder, "fleet.creds"), "utf8").trim();
		const inside = Buffer.from(code.split(".")[1] ?? "", "base64url").toString();
		expect([inside.includes(shared), inside.includes("door:")]).toEqual([false, true]);
		const joined = await fleet(homes.laptop, ["join", code, "--name", "laptop"]);
		expect(joined).toMatchObject({ code: 0, err: "" });
		const kept = readdirSync(join(homes.laptop, "fleet"));
		expect(kept).toEqual(expect.arrayContaining(["nats.creds", "nats-ca.pem", "nats.nk", "door.creds"]));
		for (const name of kept) expect(`${name} ${(statSync(join(homes.laptop, "fleet", name)).mode & 0o077).toString(8)}`).toBe(`${name} 0`);
		expect(JSON.parse(readFileSync(join(homes.laptop, "config.json"), "utf8"))).toEqual({ fleetUrl: url });
		const laptop = await start(homes.laptop);
		await until(() => expect(states(laptop.server)).toEqual(["laptop online", "desk online"]));

		const status = await fleet(homes.laptop, ["status", "--json"]);
		expect(JSON.parse(status.out)).toMatchObject({
			host: { name: "laptop" },
			nats: { url },
			hosts: [
				{ name: "desk", role: "full", state: "online", self: false },
				{ name: "laptop", role: "watch", state: "online", self: true },
			],
		});
		// It only looks, until somebody who may says more.
		const send = (type: string) => {
			const frame = { type, data: { conversationId: "c1", prompt: "hello" } };
			return laptop.server.command({ to: desk.server.hosts()[0]?.id ?? "", conversationId: "c1", actor: { origin: "web" }, frame });
		};
		await expect(send("copilot:send")).rejects.toMatchObject({ code: "not-allowed-on-host" });
		expect(await fleet(homes.laptop, ["role", "laptop", "full"])).toMatchObject({
			code: 1,
			err: expect.stringContaining("was not changed"),
		});
		expect(await fleet(homes.desk, ["role", "laptop", "talk"])).toMatchObject({ code: 0, out: "laptop may do talk on the others now." });
		await until(async () => expect(await send("copilot:send")).toEqual(['{"type":"done"}']));
		await expect(send("bash:exec")).rejects.toMatchObject({ code: "not-allowed-on-host" });
		expect(await fleet(homes.desk, ["role", "laptop", "full"])).toMatchObject({ code: 0 });
		await until(async () => expect(await send("bash:exec")).toEqual(['{"type":"done"}']));
	});

	test("[FL292] with one user for each host nobody can say or hear what is another's, and all of the fleet works", async () => {
		const [desk, laptop] = servers;
		if (desk === undefined || laptop === undefined) throw new Error("The hosts are missing.");
		const printed = await fleet(homes.desk, ["permissions"]);
		expect(printed).toMatchObject({ code: 0, err: expect.stringContaining("reload") });
		// A seed; two such letters can be in any public key.
		expect(printed.out).not.toMatch(/\bSU[A-Z2-7]{56}\b/);
		writeFileSync(join(folder, "users.conf"), printed.out);
		nats.reload();
		await until(() => expect([desk.status().kind, laptop.status().kind]).not.toEqual(["connected", "connected"]));
		await until(() => {
			expect(states(desk)).toEqual(["desk online", "laptop online"]);
			expect([desk.status().kind, laptop.status().kind]).toEqual(["connected", "connected"]);
		});
		const [deskId, laptopId] = [desk.hosts()[0]?.id ?? "", laptop.hosts()[0]?.id ?? ""];
		const prefix = `rs.${(await createFleetHome(homes.desk).find())?.fleet}`;
		const denied: string[] = [];
		const raw = await asHost(homes.laptop);
		void (async () => {
			for await (const status of raw.status()) if (status.type === "error") denied.push(status.error.message);
		})();
		raw.publish(`${prefix}.beat.${deskId}`, "");
		raw.publish(`${prefix}.live.${deskId}.c1`, "");
		raw.publish(`$KV.RS_${prefix.slice(3)}_HOSTS.card.${deskId}`, "");
		raw.publish(`$JS.API.STREAM.DELETE.RS_${prefix.slice(3)}_SNAP`, "");
		raw.subscribe(`${prefix}.cmd.${deskId}`, { callback: () => undefined });
		raw.subscribe("_INBOX.>", { callback: () => undefined });
		await until(() => expect(denied).toHaveLength(6));
		await raw.close();

		const [deskFake, laptopFake] = fakes;
		laptopFake?.create("c1");
		const view = createView();
		desk.watch(conversationId(`${laptopId}_c1`), view.reader);
		for (const word of ["one", "two"]) laptopFake?.say("c1", word);
		laptopFake?.say("c1", "three", "copilot:idle");
		await until(() => expect(view.words()).toEqual(["one", "two", "three"]));
		const asked = {
			to: laptopId,
			conversationId: "c1",
			actor: { origin: "web" },
			frame: { type: "bash:exec", data: { command: "ls" } },
		} as const;
		expect(await desk.command(asked)).toEqual(['{"type":"done"}']);
		expect(deskFake?.audited).toContain("bash:exec done");

		// A newcomer is let in by whoever runs the server, and by nobody before.
		const { out: code } = await fleet(homes.desk, ["invite", "--role", "talk"]);
		const told: string[] = [];
		const joining = fleet(homes.late, ["join", code, "--name", "late"], { onOut: (text) => told.push(text) });
		await until(() => expect(told.join()).toContain("does not know this host yet"));
		expect(existsSync(join(homes.late, "fleet", "nats.creds"))).toBe(true);
		writeFileSync(join(folder, "users.conf"), (await fleet(homes.desk, ["permissions"])).out);
		nats.reload();
		expect(await joining).toMatchObject({ code: 0, err: "" });

		await laptop.close();
		await until(() => expect(states(desk)).toContain("laptop offline"));
		const copy = createView();
		desk.watch(conversationId(`${laptopId}_c1`), copy.reader);
		await until(() => expect([copy.copyOf() === undefined, copy.words()]).toEqual([false, ["one", "two", "three"]]));
		expect(await fleet(homes.desk, ["remove", "laptop"])).toMatchObject({ code: 0 });
		await until(() => expect(states(desk)).toEqual(["desk online", "late offline"]));
		// Nothing of ours was refused on the way.
		expect(nats.violations()).toHaveLength(denied.length);
	});

	test("[FL296] JetStream without room for a fleet is refused at the start with the sum that it needs, and nothing is left", async () => {
		const small = await startNats({ jetstream: false, config: 'jetstream { store_dir: "FOLDER/js", max_file_store: 1G }' });
		try {
			const home = join(made, "small");
			const said = await fleet(home, ["init", "--url", small.url]);
			expect(said).toMatchObject({ code: 1, out: "", err: expect.stringContaining("needs 5 GB on disk. Raise max_file_store") });
			expect(existsSync(join(home, "fleet"))).toBe(false);
		} finally {
			await small.close();
		}
	});
});
