// Stands in for npm in the tests of the start script: writes down how it was called and lays out what an install would bring.
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const checkout = process.env.FAKE_CHECKOUT ?? process.cwd();
const mode = process.env.FAKE_NPM ?? "works";
const args = process.argv.slice(2);
appendFileSync(join(checkout, "npm-calls.txt"), `${args.filter((arg) => !arg.startsWith("--")).join(" ")}\n`);

/** @param {string} path @param {string} content */
const put = (path, content) => {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
};
/** @param {string} text */
const fail = (text) => {
	console.error(text);
	process.exit(1);
};

if (mode === "offline") fail("npm error code ENOTFOUND\nnpm error network request failed");
if (mode === "lacking" && args[0] === "ci") fail("npm error code EUSAGE\nnpm error Missing: something@ from lock file");

const named = args.find((arg) => arg.startsWith("@github/"));
if (named !== undefined) {
	put(join(process.cwd(), "node_modules", named.slice(0, named.lastIndexOf("@")), "package.json"), "{}");
} else {
	const modules = join(checkout, "node_modules");
	if (existsSync(join(modules, "busy"))) fail("two installs at once");
	put(join(modules, "busy"), "");
	const runtime = `@github/copilot-sdk-${process.platform}-${process.arch}`;
	put(
		join(modules, "@github/copilot-sdk/package.json"),
		JSON.stringify({ version: "9.9.9", optionalDependencies: { [runtime]: "9.9.9" } }),
	);
	if (mode !== "without-runtime") put(join(modules, runtime, "package.json"), "{}");
	put(
		join(modules, "rolldown/bin/cli.mjs"),
		`import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("dist", { recursive: true });
writeFileSync("dist/main.js", 'console.log("server", ...process.argv.slice(2)); process.exitCode = 7;');`,
	);
	put(
		join(modules, "vite/bin/vite.js"),
		`require("node:fs").mkdirSync("dist", { recursive: true });
require("node:fs").writeFileSync("dist/app.js", "x".repeat(5000));`,
	);
	// Long enough for a second start to come in between.
	setTimeout(() => require("node:fs").rmSync(join(modules, "busy")), 300);
}
