import type { ServerFrame } from "@rightseat/protocol/frames/server";

/** Types a text into a terminal once, when its shell has shown something: before that the text would stand there twice, once from the terminal and once from the shell. */
export interface TypeWhenReady {
	want(text: string): void;
	/** After the terminal itself has taken the frame. */
	receive(frame: ServerFrame): void;
}

export function createTypeWhenReady(terminalId: string, type: (text: string) => void): TypeWhenReady {
	let ready = false;
	let wanted: string | undefined;
	function typeNow() {
		if (!ready || wanted === undefined) return;
		const text = wanted;
		wanted = undefined;
		type(text);
	}
	return {
		want(text) {
			// One line, not run: a line break would be the Enter that is the person's.
			wanted = text.replace(/\s+/g, " ");
			typeNow();
		},
		receive(frame) {
			if (!("data" in frame) || !("terminalId" in frame.data) || frame.data.terminalId !== terminalId) return;
			if (frame.type === "terminal:opened") ready = frame.data.scrollback !== "";
			else if (frame.type === "terminal:output") ready = true;
			else if (frame.type === "terminal:exit") ready = false;
			typeNow();
		},
	};
}
