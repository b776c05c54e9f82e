import type { ServicePlace } from "./service-place.ts";
import type { Launch } from "./systemd-unit.ts";

/** The text of a launchd agent. No setting and no secret is in it. */
export function launchdPlist(place: ServicePlace, launch: Launch): string {
	const words = [launch.program, ...launch.args].map((word) => `\t\t<string>${escaped(word)}</string>`);
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${escaped(place.name)}</string>
	<key>ProgramArguments</key>
	<array>
${words.join("\n")}
	</array>
	<key>WorkingDirectory</key>
	<string>${escaped(place.userHome)}</string>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ExitTimeOut</key>
	<integer>20</integer>
	<key>ProcessType</key>
	<string>Interactive</string>
	<key>StandardOutPath</key>
	<string>${escaped(place.outputFile)}</string>
	<key>StandardErrorPath</key>
	<string>${escaped(place.outputFile)}</string>
</dict>
</plist>
`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
