import { expect, onTestFinished, test } from "vitest";
import { findInstallPaths } from "../../../packages/server/src/app/home/install-paths.ts";
import { createLanCertificates } from "../../../packages/server/src/app/reach/lan-certificates.ts";
import { seriousFindings } from "../../support/accessible.ts";
import { launchBrowser } from "../../support/browser.ts";
import { freePort } from "../../support/free-port.ts";
import { PHONE } from "../../support/page-harness.ts";
import { createWebBed } from "../../support/ws-harness.ts";

/** Chromium has two ways to say that the script of a worker did not come over a connection that it does not trust. */
const WORKER_REFUSED = /^console: An (?:SSL certificate|unknown) error occurred when fetching the script\.$/;

test("[RC3] [RC40] over TLS in the local network the code logs a phone in once and not twice, and the page offers what it can have", async () => {
	const names = () => ({ addresses: ["127.0.0.1"], name: "box.local" });
	const bed = await createWebBed({
		config: { webRoot: findInstallPaths().pageDir },
		lanCertificates: (home) => createLanCertificates(home, { names }),
	});
	onTestFinished(bed.close);
	const port = await freePort();
	expect((await bed.api("/api/reach", { method: "PUT", body: { way: "lan", port } })).status).toBe(200);
	const { url } = await (await bed.api("/api/login-code", { method: "POST", body: {} })).json();
	expect(url).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${port}/#code=`));
	const browser = await launchBrowser({ shared: true });
	onTestFinished(browser.close);
	// Past the warning that a phone shows before it trusts our authority.
	const phone = { ...PHONE, ignoreHTTPSErrors: true };
	const { page, problems } = await browser.open(`${url}&paired`, phone);
	const card = page.getByRole("region", { name: "This device is paired" });
	await card.waitFor();
	expect(new URL(page.url()).hash).toBe("");
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	await card.getByRole("button", { name: "Done" }).click();
	await card.waitFor({ state: "detached" });
	// A browser that went on past the warning keeps no worker: the only thing that a phone lacks which does not trust us.
	// Asked once more, it answers after the page's own question, which a reload would cut short with words of its own.
	const asked = page.evaluate(() =>
		navigator.serviceWorker.register("/sw.js").then(
			() => "kept",
			({ name }: Error) => name,
		),
	);
	expect(await asked).toBe("SecurityError");
	await page.reload();
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	expect(await card.count()).toBe(0);
	expect(problems.filter((problem) => !WORKER_REFUSED.test(problem))).toEqual([]);

	const second = await browser.open(`${url}&paired`, phone);
	await second.page.getByRole("alert").filter({ hasText: "used already" }).waitFor();
	expect(await second.page.getByRole("region", { name: "This device is paired" }).count()).toBe(0);
});
