import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTINGS } from "../../packages/server/src/app/config/config-schema.ts";
import { readContainerfile, readYaml } from "./support/container-files.ts";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const instructions = readContainerfile(read("Containerfile"));
const last = Math.max(...instructions.map(({ stage }) => stage));
const image = instructions.filter(({ stage }) => stage === last);
const one = (name: string) => image.filter((each) => each.name === name).map(({ rest }) => rest);
const env = Object.fromEntries(
	[
		...one("ENV")
			.join(" ")
			.matchAll(/(\w+)=(\S+)/g),
	].map(([, name = "", value = ""]) => [name, value]),
);

test("[PK30] the image is made of the package, in a small image of a supported Node, and keeps no tool or cache of the build", () => {
	expect(instructions.filter(({ stage }) => stage === -1)).toEqual([
		{ name: "ARG", rest: expect.stringMatching(/^NODE_IMAGE=\S+:2[2-9][\w.]*-bookworm-slim$/), stage: -1 },
	]);
	expect(instructions.filter(({ name }) => name === "FROM").map(({ rest }) => rest)).toEqual(["$NODE_IMAGE AS pack", "$NODE_IMAGE"]);
	expect(instructions.filter(({ name, stage }) => name === "RUN" && stage === 0).map(({ rest }) => rest)).toEqual([
		"npm pack --pack-destination /",
	]);
	expect(one("COPY")).toEqual(["--from=pack /rightseat-*.tgz /tmp/"]);
	const [system = "", install = ""] = one("RUN");
	expect(system).toMatch(/--no-install-recommends .*&& rm -rf \/var\/lib\/apt\/lists\/\*$/);
	expect(install).toMatch(/^npm install -g --ignore-scripts .*&& rightseat prepare && rm -rf \/tmp\/\* \/root\/\.npm /);
});

test("[PK31] the container runs as a person without rights, keeps everything in two volumes and ends on SIGTERM", () => {
	expect([one("USER"), one("VOLUME"), one("STOPSIGNAL"), one("EXPOSE")]).toEqual([["node"], ['["/data", "/work"]'], ["SIGTERM"], ["7417"]]);
	expect(one("ENTRYPOINT")).toEqual(['["tini", "--", "rightseat"]']);
	const afterUser = image.slice(image.findIndex(({ name }) => name === "USER")).map(({ name }) => name);
	expect(afterUser.filter((name) => name === "RUN" || name === "COPY")).toEqual([]);
	expect(env).toEqual({
		HOME: "/data",
		RIGHTSEAT_HOME: "/data/rightseat",
		RIGHTSEAT_WORKDIR: "/work",
		HOST: "0.0.0.0",
		PORT: "7417",
		RIGHTSEAT_BEHIND_PROXY: "1",
	});
	const known = Object.values(SETTINGS).map((setting) => ("env" in setting ? setting.env : undefined));
	expect(Object.keys(env).filter((name) => name !== "HOME" && !known.includes(name))).toEqual([]);
});

test("[PK32] the health check succeeds where the server says that it is well, and only there", async () => {
	const [, command = ""] = /CMD (\[.*\])$/.exec(one("HEALTHCHECK")[0] ?? "") ?? [];
	const [, ...args]: string[] = JSON.parse(command);
	let status = 200;
	const server = createServer((request, response) => response.writeHead(request.url === "/healthz" ? status : 404).end());
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" ? address?.port : undefined;
	const check = () =>
		new Promise((resolve) => execFile(process.execPath, args, { env: { PORT: String(port) } }, (error) => resolve(error?.code ?? 0)));
	expect(await check()).toBe(0);
	status = 503;
	expect(await check()).toBe(1);
	await new Promise((resolve) => server.close(resolve));
	expect(await check()).toBe(1);
});

test("[PK33] compose runs it on a read-only root, without capabilities, and publishes it to this machine only", () => {
	expect(readYaml(read("compose.yaml"))).toEqual({
		services: {
			rightseat: {
				build: { context: ".", dockerfile: "Containerfile" },
				image: "rightseat",
				restart: "unless-stopped",
				read_only: "true",
				tmpfs: ["/tmp:mode=1777,size=256m"],
				volumes: ["home:/data", "work:/work"],
				ports: ["127.0.0.1:7417:7417"],
				env_file: [{ path: "rightseat.env", required: "false" }],
				cap_drop: ["ALL"],
				security_opt: ["no-new-privileges:true"],
				pids_limit: "4096",
				stop_grace_period: "20s",
			},
		},
		volumes: { home: {}, work: {} },
	});
});

test("[PK33] what is secret, large or made here does not reach the build", () => {
	const ignored = read(".dockerignore").trim().split("\n");
	expect(ignored).toEqual(expect.arrayContaining([".git", "node_modules", "packages/*/dist", "*.env", "*.tgz"]));
	expect(read(".gitignore").split("\n")).toContain("rightseat.env");
});

test("[PK33] a file that is not understood is refused, so that these tests judge what is really there", () => {
	expect(() => readContainerfile("FROM a\nRUM b\n")).toThrow("Not an instruction");
	expect(() => readYaml("a:\n  b: 1\n c: 2\n")).toThrow();
	expect(() => readYaml("a: [1, 2]\n")).toThrow("Not a plain value");
	expect(() => readYaml("a: 1\na: 2\n")).toThrow("twice");
});
