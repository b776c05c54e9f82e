import { expect, onTestFinished, test } from "vitest";
import { createWebBed } from "../../support/ws-harness.ts";
import { askPlain } from "./phone-harness.ts";

test("[RC8] a name on trial is answered at two addresses only, and the proof is for its nonce", async () => {
	const bed = await createWebBed();
	onTestFinished(bed.close);
	const trial = await (await bed.api("/api/reach/trial", { method: "POST", body: { url: "https://pilot.example.org" } })).json();
	const through = (path: string, host = "pilot.example.org") => askPlain(`${bed.url}${path}`, host);
	expect(JSON.parse((await through(`/healthz?nonce=${trial.nonce}`)).body)).toEqual({ status: "ok", proof: trial.proof });
	expect(JSON.parse((await through("/healthz?nonce=other")).body)).toEqual({ status: "ok" });
	expect((await through("/")).status).toBe(403);
	expect((await through("/api/status")).status).toBe(403);
	expect((await through("/healthz", "evil.example.org")).status).toBe(403);
	expect((await bed.api("/api/reach/trial", { method: "POST", body: { url: "http://pilot.example.org" } })).status).toBe(400);
	expect((await bed.api("/api/reach", { method: "PUT", body: { way: "url", url: "https://a.example/path" } })).status).toBe(400);
});
