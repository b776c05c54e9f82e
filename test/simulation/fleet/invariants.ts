/** The promises that the fleet part checks. */
export const FLEET_INVARIANTS: Readonly<Record<string, string>> = {
	"fleet-order": "A page is given every event of another host's conversation once and in order, or everything anew.",
	"fleet-one-history": "An epoch and a number of a conversation are the same event on every host, unless its disk was put back.",
	"fleet-shown": "What any page was shown of another host is in the log of its owner, unless a new epoch was told.",
	"fleet-peace":
		"When faults end, every page on every host shows within 90 s exactly what the owner has stored, the inbox of each host is the sum of all, nothing waits that could go, and one host has the task that one does for all.",
	"fleet-once": "Nothing that one host asks of another is carried out twice.",
	"fleet-only-asked": "A host carries out only what was asked of it, as it was asked.",
	"fleet-in-time": "Nothing is carried out later than a minute and a half after it was asked for, unless the date was set back there.",
	"fleet-acknowledged": "What was acknowledged on another host is in the log of the owner, once.",
	"fleet-outbox": "What waits for a host that is away goes out once, or is still there to be seen.",
	"fleet-one-holder": "At no time two hosts hold the task that one does for all, and the act of an earlier holder is refused.",
	"fleet-audited": "Everything that was carried out for another host is audited, once.",
};

/** What must happen now and then in many rounds, or they prove less than they seem to. */
export const FLEET_COVERS: readonly string[] = [
	...["message lost up", "message lost down", "message doubled up", "message doubled down", "message late up", "message late down"],
	...[
		"a host was cut off",
		"a node was cut from the others",
		"message to a deaf node",
		"node left",
		"the engine was gone",
		"the engine forgot",
	],
	...["read without an answer", "write without an answer", "copy without an answer", "a copy was shown", "a snapshot was shown"],
	...[
		"a host was asleep",
		"a host was frozen",
		"the holder was asleep",
		"the holder was frozen",
		"a date was set ahead",
		"a date was set back",
	],
	...[
		"a backup was put back",
		"a disk was rolled back",
		"something was said again by the operator",
		"something was altered by the operator",
	],
	...[
		"something was moved by the operator",
		"a prompt was outbox",
		"a prompt was queued",
		"a prompt was started",
		"a letter was sent again",
	],
	...[
		"a command under a lease",
		"the task has a holder",
		"an agent asked",
		"refused with command-expired",
		"a person was told host-offline",
	],
	...["a person was told host-unreachable", "a person was told fleet-not-connected"],
].map((what) => `fleet: ${what}`);
