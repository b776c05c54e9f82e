import { expect, test } from "vitest";
import { SETTINGS } from "../../../packages/server/src/app/config/config-schema.ts";
import { flag } from "../../../packages/server/src/app/config/config-values.ts";
import { lines, rawRequest, upgradeLines } from "../../support/raw-http.ts";
import { startServer } from "../../support/server.ts";

test("[SE411] with every switch of the configuration on nothing more is open without a login", async () => {
	const switches = Object.values(SETTINGS).flatMap((setting) => (setting.type === flag && setting.env !== undefined ? [setting.env] : []));
	expect(switches).toContain("RIGHTSEAT_BEHIND_PROXY");
	const server = await startServer({ env: Object.fromEntries(switches.map((name) => [name, "1"])) });
	try {
		for (const path of ["/api/conversations", "/api/status", "/api/settings", "/api/audit", "/mcp"]) {
			const response = await fetch(`${server.url}${path}`, { headers: { "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" } });
			expect([path, response.status]).toEqual([path, 401]);
		}
		expect((await rawRequest(server.port, lines(...upgradeLines(server.port)))).status).toBe(401);
		expect((await server.api("/api/conversations")).status).toBe(200);
	} finally {
		await server.close();
	}
});
