import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";
import { qrPath } from "./qr-path.ts";

test("[PG74] a device is named as its owner would call it", () => {
	const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
	expect(deviceName(`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`)).toBe("Chrome, Linux");
	expect(deviceName(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/150.0`)).toBe("Edge, Windows");
	expect(
		deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1"),
	).toBe("Safari, iPhone");
	expect(deviceName("curl/8.1")).toBe("curl");
	expect(deviceName("")).toBe("?");
});

test("[PG74] of a code to scan only its lines are taken, never markup", () => {
	const svg = '<svg xmlns="x" viewBox="0 0 33 33"><rect fill="white"/><path d="M4,4h1v1h-1z M6,4h2v1h-1z" fill="black" onload="x"/></svg>';
	expect(qrPath(svg)).toEqual({ size: 33, path: "M4,4h1v1h-1z M6,4h2v1h-1z" });
	expect(qrPath("<svg></svg>")).toBeUndefined();
	expect(qrPath('<svg viewBox="0 0 9 9"><path d="M1,1<script>"/></svg>')).toBeUndefined();
});
