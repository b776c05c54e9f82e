import type { CopilotClient } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { killMarked } from "../../marked-processes.ts";
import type { Markers } from "../../markers.ts";
import { type ClientSettings, createClient } from "./client-options.ts";
import { guardTransport } from "./guard-transport.ts";

/** A client whose runtime takes everything with it that it started, wherever that moved: when it is stopped, and when it dies. */
export async function createMarkedClient(settings: ClientSettings, markers: Markers, clock: Clock): Promise<CopilotClient> {
	const mark = await markers.next();
	const endRest = () => killMarked(clock, (marker) => marker === mark.marker);
	const client = guardTransport(createClient({ ...settings, marker: mark.marker }), (child) => {
		// The SDK starts the process; it is marked before it can have started another.
		if (child.pid !== undefined) mark.put(child.pid);
		child.once("exit", () => void endRest());
	});
	const [stop, forceStop] = [client.stop.bind(client), client.forceStop.bind(client)];
	client.stop = async () => {
		const errors = await stop();
		await endRest();
		return errors;
	};
	client.forceStop = async () => {
		await forceStop();
		await endRest();
	};
	return client;
}
