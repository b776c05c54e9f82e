import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startServer } from "../../support/server.ts";
import { createStandInAccount, type StandInAccount } from "../../support/stand-in-systemd/stand-in-systemd.ts";

const SECRET = "1234:secret-of-a-bot";
const GIVEN = { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1", RIGHTSEAT_PROVIDER_KEY: SECRET, ANTHROPIC_API_KEY: "key-of-an-agent" };

// Each waits for servers that start, some for two in a row.
vi.setConfig({ testTimeout: 180_000 });

let account: StandInAccount;
beforeAll(() => {
	account = createStandInAccount();
});
afterAll(() => account.close());

const environmentFile = () => join(account.home, "service.env");
const untilState = async (isSo: (state: { active: string; pid: number }) => boolean) => {
	while (!isSo(account.state())) await new Promise((resolve) => setTimeout(resolve, 50));
	return account.state();
};

test("[SV9] before it is installed every command says so in one line, exit 2", async () => {
	for (const part of ["status", "restart", "uninstall"]) {
		const { exit, stdout, stderr } = await account.rightseat(["service", part]);
		expect([exit, stdout, stderr]).toEqual([
			2,
			"",
			`rightseat service: no service is installed for ${account.home}. Install it with: rightseat service install\n`,
		]);
	}
});

test("[SV1] --dry-run shows the unit and the variables, hides secrets and changes nothing", async () => {
	const { exit, stdout } = await account.rightseat(["service", "install", "--dry-run", "--env", "ANTHROPIC_API_KEY"], GIVEN);
	expect(exit).toBe(0);
	expect(stdout).toContain(`Writes ${account.unitFile}:\n  [Unit]\n`);
	expect(stdout).toMatch(/^ {2}ExecStart=".+" "service" "run" "--home" ".+"$/m);
	expect(stdout).toContain(`  RIGHTSEAT_WORKDIR=${account.cwd}\n`);
	expect(stdout).toContain("  RIGHTSEAT_PROVIDER_KEY=(not shown)\n");
	expect(stdout).toContain("  ANTHROPIC_API_KEY=(not shown)\n");
	expect(stdout).not.toMatch(/secret-of-a-bot|key-of-an-agent/);
	expect([existsSync(account.unitFile), existsSync(account.home)]).toEqual([false, false]);
});

test("[SV5] a flag that is unknown, a value that is wrong and a variable that is not set are one line, exit 2, and nothing changed", async () => {
	for (const [args, sentence] of [
		[["--colour"], /^rightseat service: Unknown flag "--colour"\. .+\n$/],
		[["--port", "x"], /^rightseat service: PORT must be a whole number .+\n$/],
		[["--env", "NOT_THERE"], /^rightseat service: --env NOT_THERE: this variable is not set here\.\n$/],
	] as const) {
		const { exit, stdout, stderr } = await account.rightseat(["service", "install", ...args]);
		expect([exit, stdout, stderr]).toEqual([2, "", expect.stringMatching(sentence)]);
	}
	expect((await account.rightseat(["service", "fly"])).exit).toBe(2);
	expect(existsSync(account.unitFile)).toBe(false);
});

test("[SV6] a port in use is one line, exit 1, and nothing changed", async () => {
	const other = createServer();
	await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
	const address = other.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const { exit, stderr } = await account.rightseat(["service", "install", "--port", String(port)]);
	other.close();
	expect([exit, stderr]).toEqual([
		1,
		`rightseat service: port ${port} is in use by another program. Stop it, or choose another port with --port.\n`,
	]);
	expect([existsSync(account.unitFile), existsSync(account.home)]).toEqual([false, false]);
});

test("[SV6] a home in which another Rightseat runs is one line, exit 1, and it runs on", async () => {
	const server = await startServer();
	const { exit, stderr } = await account.rightseat(["service", "install", "--home", server.home]);
	expect([exit, stderr]).toEqual([
		1,
		expect.stringMatching(/^rightseat service: a Rightseat that is not this service runs with .+ \(process \d+\)\. .+\n$/),
	]);
	expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
	expect(existsSync(join(server.home, "service.env"))).toBe(false);
	await server.close();
});

test("[SV2] install writes unit and settings, starts the server and ends when it answers, with a link that logs in once", async () => {
	const { exit, stdout, stderr } = await account.rightseat(["service", "install"], GIVEN);
	expect([exit, stderr]).toEqual([0, ""]);
	const link = /^Open (\S+)\/#code=(\S+)$/m.exec(stdout);
	const server: { url: string; pid: number } = JSON.parse(readFileSync(join(account.home, "server.json"), "utf8"));
	expect(server.pid).toBe(account.state().pid);
	const login = () =>
		fetch(`${server.url}/api/login`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: server.url },
			body: JSON.stringify({ code: link?.[2] }),
		});
	expect([(await login()).status, (await login()).status]).toEqual([204, 401]);
});

test("[SV3] secrets are in a file for its owner only, in neither the unit nor what is printed nor the arguments", async () => {
	expect(readFileSync(environmentFile(), "utf8")).toContain(`RIGHTSEAT_PROVIDER_KEY=${SECRET}\n`);
	expect([environmentFile(), join(account.home, "logs", "service.log")].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
	expect(readFileSync(account.unitFile, "utf8")).not.toContain("secret");
	expect(readFileSync(`/proc/${account.state().pid}/cmdline`, "utf8")).not.toContain("secret");
});

test("[SV4] what the service prints has the ready line and no login link: it is kept", () => {
	const printed = readFileSync(join(account.home, "logs", "service.log"), "utf8");
	expect(printed).toMatch(/^\d{4}-\S+Z Rightseat is ready on http:\/\/127\.0\.0\.1:\d+$/m);
	expect(printed).not.toContain("code=");
});

test("[SV8] a second install changes nothing and does not restart; what was given before stays", async () => {
	const { pid } = account.state();
	const { exit, stdout } = await account.rightseat(["service", "install"]);
	expect([exit, account.state().pid]).toEqual([0, pid]);
	expect(stdout).toContain("The service is installed and runs already; nothing was changed.\n");
	expect(readFileSync(environmentFile(), "utf8")).toContain(SECRET);
});

test("[SV7] linger is explained and left off; --linger turns it on", async () => {
	const before = await account.rightseat(["service", "status"]);
	expect(before.stdout).toMatch(/^ {2}Logged out +it ends with your last login; /m);
	expect(existsSync(join(account.userHome, "linger"))).toBe(false);
	const { stdout } = await account.rightseat(["service", "install", "--linger"]);
	expect(stdout).toContain("From now on it runs from the start of the machine");
	expect(existsSync(join(account.userHome, "linger"))).toBe(true);
});

test("[SV10] status says in words what runs where, exit 0; in Chinese too", async () => {
	const { exit, stdout } = await account.rightseat(["service", "status"]);
	expect(exit).toBe(0);
	expect(stdout).toMatch(/^Rightseat \d+\.\d+\.\d+ runs as a service of systemd, process \d+, and answers\.\n {2}Address +http:/);
	const chinese = await account.rightseat(["service", "status"], { LANG: "zh_TW.UTF-8" });
	expect(chinese.stdout).toMatch(/^Rightseat \S+ 以 systemd 服務執行中/);
});

test("[SV11] logs shows the server's log in readable lines, or as it is written", async () => {
	const { exit, stdout } = await account.rightseat(["service", "logs", "-n", "5000"]);
	expect(exit).toBe(0);
	expect(stdout).toMatch(/^\d{4}-\S+Z info {4}Ready \{"url":"http/m);
	const raw = await account.rightseat(["service", "logs", "-n", "1", "--json"]);
	expect(JSON.parse(raw.stdout)).toMatchObject({ level: 30, time: expect.any(String), msg: expect.any(String) });
	expect(await account.rightseat(["service", "logs", "-n", "0"])).toMatchObject({ exit: 2 });
	expect(await account.rightseat(["service", "logs", "--colour"])).toMatchObject({
		exit: 2,
		stderr: "rightseat service: unknown flag --colour. Try --help.\n",
	});
});

test("[SV11] logs -f goes on with what comes, also when the log is put aside and a new one begun", async () => {
	const log = join(account.home, "logs", "rightseat.log");
	const following = account.follow(["service", "logs", "-f", "--json", "-n", "1"]);
	await following.until(/"msg"/);
	appendFileSync(log, '{"msg":"one"}\n{"msg":"tw');
	await following.until(/"one"/);
	appendFileSync(log, 'o"}\n');
	renameSync(log, `${log}.old`);
	appendFileSync(`${log}.old`, '{"msg":"three"}\n');
	writeFileSync(log, '{"msg":"four"}\n');
	const text = await following.until(/"four"/);
	expect(text.split("\n").slice(1, 5)).toEqual(["one", "two", "three", "four"].map((msg) => JSON.stringify({ msg })));
	renameSync(`${log}.old`, log);
	expect(await following.interrupt()).toBe("SIGINT");
});

test("[SV12] restart ends the server in order and waits until the next one answers", async () => {
	const { pid } = account.state();
	const { exit, stdout } = await account.rightseat(["service", "restart"]);
	expect([exit, stdout]).toEqual([0, expect.stringMatching(/^Rightseat \S+ was started again and answers\.\n$/)]);
	expect(account.state().pid).not.toBe(pid);
});

test("[SV13] a server that is killed is started again", async () => {
	const { pid } = account.state();
	process.kill(pid, "SIGKILL");
	const next = await untilState((state) => state.pid !== pid && state.active === "active");
	expect(next.pid).toBeGreaterThan(0);
	expect(await account.rightseat(["service", "restart"])).toMatchObject({ exit: 0 });
});

test("[SV14] settings that are wrong end the service for good, and restart and status say what it said", async () => {
	const good = readFileSync(environmentFile(), "utf8");
	writeFileSync(environmentFile(), `${good}RIGHTSEAT_MAX_TURNS=many\n`);
	const restarted = await account.rightseat(["service", "restart"]);
	expect([restarted.exit, restarted.stderr]).toEqual([
		1,
		expect.stringMatching(/It said last:\n(.*\n)* {2}\S+Z RIGHTSEAT_MAX_TURNS must be .+\nrightseat service: .+\n$/),
	]);
	const status = await account.rightseat(["service", "status"]);
	expect([status.exit, status.stdout]).toEqual([1, expect.stringMatching(/^The service failed \(failed\/failed, exit-code, exit 2\)\./)]);
	writeFileSync(environmentFile(), `${good}secret without a name\n`);
	const broken = await account.rightseat(["service", "restart"]);
	expect(broken.stderr).toContain(`of ${environmentFile()} is not NAME=VALUE.`);
	expect(broken.stderr).not.toContain("secret without");
	writeFileSync(environmentFile(), good);
	expect(await account.rightseat(["service", "restart"])).toMatchObject({ exit: 0 });
});

test("[SV15] uninstall ends the service, removes what install wrote, and keeps what Rightseat keeps", async () => {
	const { pid } = account.state();
	const { exit, stdout } = await account.rightseat(["service", "uninstall"]);
	expect([exit, stdout]).toEqual([0, expect.stringContaining(`Removed ${account.unitFile}\n`)]);
	expect(existsSync(`/proc/${pid}`)).toBe(false);
	expect([account.unitFile, environmentFile(), join(account.home, "server.json")].map((file) => existsSync(file))).toEqual([
		false,
		false,
		false,
	]);
	expect(existsSync(join(account.home, "rightseat.db"))).toBe(true);
	expect(await account.rightseat(["service", "status"])).toMatchObject({ exit: 2 });
});

test("[SV16] without a service manager that answers, one line says what to do, exit 1, and nothing changed", async () => {
	const { exit, stderr } = await account.rightseat(["service", "install"], { PATH: "/nowhere" });
	expect([exit, stderr]).toEqual([
		1,
		expect.stringMatching(/^rightseat service: the service manager of this user does not answer \(systemctl: not found\)\. .+\n$/),
	]);
	expect(existsSync(account.unitFile)).toBe(false);
});
