import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createServerLogin } from "./server-login.ts";

test("[MS31] only the address on which this very sign-in ends is fetched, and never a place that it redirects to", async () => {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url ?? "");
		response.writeHead(request.url?.includes("code=bad") ? 400 : 302, { location: "/elsewhere" }).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const here = `http://127.0.0.1:${port}`;
	const login = (redirect: string) =>
		createServerLogin(`https://login.example/authorize?state=s1&redirect_uri=${encodeURIComponent(redirect)}`);
	const refused = [
		...[`http://127.0.0.1:${port + 1}/cb?code=c&state=s1`, `${here}/other?code=c&state=s1`, `${here}/cb?code=c&state=s2`, `${here}/cb`],
		...[`http://localhost:${port}/cb?state=s1`, `https://127.0.0.1:${port}/cb?state=s1`, `http://u:p@127.0.0.1:${port}/cb?state=s1`],
		...[`http://169.254.169.254/cb?state=s1`, "file:///etc/passwd", "nonsense", "", `${here}/cb/../other?state=s1`],
	];
	for (const address of refused) {
		await expect(login(`${here}/cb`).finish(address), address).rejects.toMatchObject({ code: "bad-request" });
	}
	// One that ends elsewhere can be finished by nobody here.
	for (const redirect of ["http://169.254.169.254/cb", `https://127.0.0.1:${port}/cb`, "http://127.0.0.1/cb"]) {
		await expect(login(redirect).finish(`${redirect}?code=c&state=s1`)).rejects.toMatchObject({ code: "bad-request" });
	}
	expect(asked).toEqual([]);
	await login(`${here}/cb`).finish(` ${here}/cb?code=c&state=s1 `);
	await expect(login(`${here}/cb`).finish(`${here}/cb?code=bad&state=s1`)).rejects.toMatchObject({ code: "not-running" });
	expect(asked).toEqual(["/cb?code=c&state=s1", "/cb?code=bad&state=s1"]);
	expect(login(`${here}/cb`).redirectUrl).toBe(`${here}/cb`);
	expect(() => createServerLogin("javascript:alert(1)")).toThrow(/no page/);
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});
