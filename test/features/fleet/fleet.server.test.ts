import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { checkFleet } from "../../../packages/server/src/app/doctor/fleet.ts";
import { runFleet } from "../../../packages/server/src/app/fleet/fleet-command.ts";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { conversationId, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createFences } from "../../../packages/server/src/fleet/commands/fences.ts";
import { withBoot } from "../../../packages/server/src/fleet/fleet-clock.ts";
import { createFleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { createFleet } from "../../../packages/server/src/fleet/runtime/create-fleet.ts";
import { createFakeOwner, createView } from "../../../packages/server/src/fleet/runtime/fake-owner-harness.ts";
import { hasNats, startNats, type TestNats } from "../../support/nats.ts";

/** Long, because the machine may be busy: what is awaited comes by itself. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 40_000, interval: 50 });

type FleetServer = ReturnType<typeof createFleet>;

describe.skipIf(!hasNats)("a fleet over a real NATS server", () => {
	let nats: TestNats;
	const homes: string[] = [];
	const servers: FleetServer[] = [];
	beforeAll(async () => {
		nats = await startNats();
	});
	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
		for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
	});
	afterAll(() => nats?.close());

	const newHome = () => {
		const home = mkdtempSync(join(tmpdir(), "rightseat-fleet-"));
		homes.push(home);
		return home;
	};
	/** The command as a person or a script runs it. */
	async function fleet(
		home: string,
		args: string[],
		options: { answer?: string; env?: NodeJS.ProcessEnv; onOut?: (text: string) => void } = {},
	) {
		const [out, err]: [string[], string[]] = [[], []];
		const print = (text: string) => {
			out.push(text);
			options.onOut?.(text);
		};
		const cli = {
			argv: [],
			env: { RIGHTSEAT_FLEET_URL: nats.url, LANG: "C", ...options.env },
			cwd: tmpdir(),
			print,
			printError: (text: string) => void err.push(text),
			commands: [],
		};
		const person = options.answer === undefined ? undefined : () => Promise.resolve(options.answer ?? "");
		const code = await runFleet([...args, "--home", home], cli, { person, signal: new AbortController().signal });
		return { code, out: out.join("\n"), err: err.join("\n") };
	}
	async function start(home: string, url = nats.url) {
		const fake = createFakeOwner();
		const numbers = new Map<string, number>();
		const server = createFleet({
			...{
				home: createFleetHome(home),
				owner: fake.owner,
				fences: createFences(numbers, () => undefined),
				allow: "full",
				version: "1.0.0",
			},
			...{ machine: "here", clock: withBoot(systemClock), ids: randomIds, logger: silentLogger, url },
			connect: () => createNatsCourier({ url, allowOld: false }, { clock: systemClock, name: "test" }),
		});
		servers.push(server);
		await server.start();
		return { server, fake };
	}
	const states = ({ server }: { server: FleetServer }) => server.hosts().map(({ name, state }) => `${name} ${state}`);
	async function twoHosts(url?: string) {
		const [first, second] = [newHome(), newHome()];
		const env = url === undefined ? {} : { RIGHTSEAT_FLEET_URL: url };
		expect(await fleet(first, ["init", "--name", "desk"], { env })).toMatchObject({ code: 0 });
		const desk = await start(first, url);
		await until(() => expect(states(desk)).toEqual(["desk online"]));
		const invited = await fleet(first, ["invite"], { env });
		expect(invited).toMatchObject({ code: 0 });
		expect(await fleet(second, ["join", invited.out, "--name", "laptop"], { env })).toMatchObject({ code: 0 });
		const laptop = await start(second, url);
		await until(() => {
			expect(states(desk)).toEqual(["desk online", "laptop online"]);
			expect(states(laptop)).toEqual(["laptop online", "desk online"]);
		});
		const id = laptop.server.hosts()[0]?.id ?? "";
		return { first, second, desk, laptop, remote: (own: string) => conversationId(`${id}_${own}`) };
	}

	test("[FL150] from nothing to two hosts with init, invite and join; keys are for their owner only; status, remove and leave", async () => {
		const { first, second, desk, laptop } = await twoHosts();
		for (const name of readdirSync(join(first, "fleet"))) {
			const { mode } = statSync(join(first, "fleet", name));
			expect(`${name} ${(mode & 0o077).toString(8)}`).toBe(`${name} 0`);
		}
		expect(existsSync(join(second, "fleet", "root.json"))).toBe(false);
		const status = await fleet(first, ["status"]);
		expect(status).toMatchObject({ code: 0, err: "" });
		expect(status.out).toMatch(/online +\S{16} full +desk .*this host/);
		expect(status.out).toMatch(/online +\S{16} full +laptop/);
		expect(await fleet(first, ["init"])).toMatchObject({ code: 1, err: expect.stringContaining("belongs to the fleet") });

		expect(await fleet(first, ["remove", "nobody"])).toMatchObject({
			code: 1,
			err: expect.stringContaining("no host of the fleet is called nobody"),
		});
		expect(await fleet(first, ["remove", "laptop"])).toMatchObject({ code: 0, out: expect.stringContaining("laptop is out") });
		await until(() => {
			expect(states(desk)).toEqual(["desk online"]);
			expect(laptop.server.status()).toMatchObject({ kind: "refused", because: { params: { reason: "removed" } } });
		});
		expect(await fleet(second, ["status"])).toMatchObject({ code: 1, err: expect.stringContaining("was removed") });
		expect(await fleet(second, ["leave", "--here"])).toMatchObject({ code: 0 });
		expect(existsSync(join(second, "fleet"))).toBe(false);
		await until(() => expect(laptop.server.status()).toMatchObject({ because: { params: { reason: "no-place" } } }));
		// And back again, with a new identity.
		const again = await fleet(first, ["invite", "--role", "watch"]);
		expect(await fleet(second, ["join", again.out, "--name", "laptop"])).toMatchObject({ code: 0 });
		await until(() => expect(states(desk)).toEqual(["desk online", "laptop online"]));
		expect(await fleet(second, ["leave"])).toMatchObject({ code: 0 });
		await until(() => expect(states(desk)).toEqual(["desk online"]));
	});

	test("[FL151] at a terminal the words are compared, and a no lets nobody in; a code is used once", async () => {
		const [first, second] = [newHome(), newHome()];
		await fleet(first, ["init", "--name", "desk"]);
		for (const answer of ["n", "y"]) {
			let code = "";
			const inviting = fleet(first, ["invite"], { answer, onOut: (text) => (code = text) });
			await until(() => expect(code).toMatch(/^rs1\./));
			const joined = await fleet(second, ["join", code, "--name", "laptop"]);
			const invited = await inviting;
			const said = /it must say: (.*)/;
			expect(said.exec(joined.out)?.[1]).toBe(said.exec(invited.err)?.[1]);
			expect([joined.code, invited.code]).toEqual(answer === "y" ? [0, 0] : [1, 1]);
			if (answer === "n") expect(joined.err).toContain("the words were not the same");
		}
	});

	test("[FL152] bad input is one line that says what to do, and leaves nothing behind", async () => {
		const home = newHome();
		const cases: [string[], number, string, NodeJS.ProcessEnv?][] = [
			[["init"], 2, "no NATS server is named", { RIGHTSEAT_FLEET_URL: "" }],
			[["init", "--url", "http://x"], 2, "must be an address that begins with nats://"],
			[["init", "--url", "nats://a:b@x"], 2, "must not hold a user name or password"],
			[["init", "--url", "nats://127.0.0.1:1"], 1, "cannot be reached"],
			[["init", "--name", ""], 2, "--name must have"],
			[["invite", "--role", "king"], 2, "--role must be"],
			[["invite"], 2, "belongs to no fleet"],
			[["status"], 1, "belongs to no fleet"],
			[["join"], 2, "the code is missing"],
			[["join", "hello"], 2, "this is no invitation"],
			[["join", "rs1.abc.aaaaaa"], 2, "a part of the code is missing"],
			[["fly"], 2, "unknown action fly"],
			[["init", "--bogus"], 2, "unknown flag --bogus"],
		];
		for (const [args, code, sentence, env] of cases) {
			const said = await fleet(home, args, { env });
			expect(said, args.join(" ")).toMatchObject({ code, out: "" });
			expect(said.err).toContain(sentence);
		}
		expect(existsSync(join(home, "fleet", "fleet.json"))).toBe(false);
		const chinese = await fleet(home, ["init", "--url", "nats://127.0.0.1:1"], { env: { LANG: "zh_TW.UTF-8" } });
		expect(chinese.err).toContain("連不到");
	});

	test("[FL153] an address that the server does not read anyway is kept in config.json, and taken out again", async () => {
		const home = newHome();
		const file = join(home, "config.json");
		writeFileSync(file, '{"maxTurns":3}');
		expect(await fleet(home, ["init", "--url", nats.url], { env: { RIGHTSEAT_FLEET_URL: "" } })).toMatchObject({ code: 0 });
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ maxTurns: 3, fleetUrl: nats.url });
		expect(await fleet(home, ["leave"], { env: { RIGHTSEAT_FLEET_URL: "" } })).toMatchObject({ code: 0 });
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ maxTurns: 3 });
	});

	test("[FL155] the doctor says whether NATS can be used, whether this host has a place, and who can read the credentials", async () => {
		const home = newHome();
		const at = (url: string, more = {}) => ({ home, fleet: { url, allow: "talk", allowOld: false, ...more } }) as const;
		expect(await checkFleet({ home })).toEqual({ level: "ok", subject: "fleet", detail: "off" });
		expect(await checkFleet(at("nats://127.0.0.1:1"))).toMatchObject({
			level: "error",
			detail: expect.stringContaining("cannot be reached"),
		});
		expect(await checkFleet(at(nats.url))).toMatchObject({ level: "warning", detail: expect.stringContaining("belongs to no fleet yet") });
		await fleet(home, ["init", "--name", "desk"]);
		expect(await checkFleet(at(nats.url))).toMatchObject({
			level: "ok",
			detail: expect.stringMatching(/^desk in the fleet .* may do talk here$/),
		});
		const credsFile = join(home, "creds");
		writeFileSync(credsFile, "a:b", { mode: 0o644 });
		expect(await checkFleet(at(nats.url, { credsFile }))).toMatchObject({ level: "error", detail: expect.stringContaining("chmod 600") });
	});

	test("[FL154] words of another host arrive once and in order over NATS, also across its restart; away, its copy is read", async () => {
		const own = await startNats();
		try {
			const { desk, laptop, remote } = await twoHosts(own.url);
			laptop.fake.create("c1");
			const view = createView();
			desk.server.watch(remote("c1"), view.reader);
			const said: string[] = [];
			const say = (word: string, type?: string) => {
				said.push(word);
				laptop.fake.say("c1", word, type);
			};
			for (let index = 0; index < 50; index++) say(`a${index}`);
			await until(() => expect(view.words()).toEqual(said));
			await own.kill();
			for (let index = 0; index < 50; index++) say(`b${index}`);
			await own.start();
			for (let index = 0; index < 50; index++) say(`c${index}`);
			say("end", "copilot:idle");
			await until(() => expect(view.words()).toEqual(said));
			await until(() => expect(desk.server.conversations()).toHaveLength(1));
			const frame = { type: "copilot:send", data: { conversationId: "c1", prompt: "hello" } };
			const to = laptop.server.hosts()[0]?.id ?? "";
			const send = () => desk.server.command({ to, conversationId: "c1", actor: { origin: "web" }, frame });
			await until(async () => expect(await send()).toEqual(['{"type":"done"}']));

			await until(async () => {
				const late = createView();
				const end = desk.server.watch(remote("c1"), late.reader);
				await until(() => expect(late.words()).toEqual(said));
				end();
			});
			await laptop.server.close();
			await until(() => expect(states(desk)).toEqual(["desk online", "laptop offline"]));
			await expect(send()).rejects.toMatchObject({ code: "host-offline" });
			const copy = createView();
			desk.server.watch(remote("c1"), copy.reader);
			await until(() => expect(copy.copyOf()).toBeDefined());
			expect(copy.words()).toEqual(said);
		} finally {
			await own.close();
		}
	});
});
