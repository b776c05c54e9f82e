/** The promises that the core part checks. */
export const CORE_INVARIANTS: Readonly<Record<string, string>> = {
	"shown-is-kept":
		"An event that a reader was shown is in the log of every later process, with the same number and text, however the earlier one ended; and so is a message that it was shown in a snapshot.",
	"acknowledged-is-kept": "A prompt or command that was acknowledged is stored, once, unless a person took it back.",
	"one-message":
		"The same `clientMessageId` is one message, whoever repeats it and however often; who repeats it is told the same again, and not refused.",
	"runs-once": "A prompt reaches the agent at most once, a command the shell at most once.",
	"ran-is-known": "What the agent or the shell was given is stored in every later process, however the earlier one ended.",
	"taken-back-is-gone": "A prompt that readers were told is gone is stored no more, and does not run after that.",
	"messages-in-order": "Prompts stand among the messages in the order in which they were taken up, each before its answer.",
	"one-event-per-number": "An epoch and a number name one event, for every reader and in every process.",
	"no-gap": "A reader gets every event after its position once and in order.",
	"numbers-without-gaps": "The stored events of a conversation are numbered without gaps up to its head.",
	"turns-end-once": "A turn that readers saw begin has exactly one `idle`, after everything that it said, and no turn is open at peace.",
	"answers-are-kept": "An answer or approval that the agent acted on is in the log.",
	"acts-are-audited":
		"A command that ran, a permission or an answer that the agent acted on, and a deletion that was confirmed are in the audit log, in every later process.",
	"asked-once": "Every question, permission request, plan and form is resolved exactly once.",
	"mode-of-the-plan": "The mode of a conversation is the one that goes with the plan that was taken last, as the log tells it.",
	"prompts-come-to-something": "An acknowledged prompt was answered, failed visibly, waits in the queue, or was taken back.",
	"commands-come-to-something": "An acknowledged command has exactly one result.",
	"fold-is-stored": "The events of a conversation, folded, are what is stored and what a snapshot says.",
	"open-is-shown":
		"While the disk refuses, also from the start on, a reader that comes is shown every turn and command that the log has open, with its words.",
	"inbox-is-what-waits": "The inbox holds each question, permission request and stopped queue once, and nothing that waits no longer.",
	"memory-is-given-back": "At peace nothing is counted for log, turns and sockets.",
	"comes-to-rest": "When faults end, everything ends within minutes.",
	"stop-ends": "A server that is told to stop ends within 20 s, whatever hangs.",
	"storage-comes-back": "A disk that works again is used again.",
	"no-surprise": "No error is met that the product does not know, and no rejected promise is left alone.",
};
