import type { Job } from "@rightseat/protocol/model/job";
import { cutText } from "@rightseat/protocol/text";
import type { ConversationFile } from "../service/conversation-file.ts";

const MAX_LOST = 200;
const MAX_NOTES = 50;

/** Keeps a sentence for the agent about a job; the newest are kept. */
export function addNote(file: ConversationFile, bashId: string, text: string): void {
	file.notes = [...file.notes, { bashId, text }].slice(-MAX_NOTES);
}

/** Whoever asks for this job later hears that it was lost. */
export function addLost(file: ConversationFile, bashId: string): void {
	file.lost = [...file.lost, bashId].slice(-MAX_LOST);
}

/** What the agent is told about a job that has ended. */
export function endNote({ bashId, command }: Job, status: Job["status"], exitCode: number | null): string {
	return `Background job ${bashId} (${short(command)}) ${endingOf(status, exitCode)}.`;
}

function endingOf(status: Job["status"], exitCode: number | null): string {
	if (status === "timed_out") return "ran out of time and was ended";
	if (status === "killed") return "was ended by a person";
	if (status === "lost") return "was lost because the shell process failed; start it again if it is still needed";
	return exitCode === null ? "has ended" : `has exited with code ${exitCode}`;
}

/** A command as a name: its first line, cut. */
export function short(command: string): string {
	const line = command.trim().split("\n")[0] ?? "";
	return `\`${line.length > 60 ? `${cutText(line, 57)}...` : line}\``.toWellFormed();
}
