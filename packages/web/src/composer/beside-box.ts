/** What stands around the box only when there is something: fetched together, after the first paint. */
export { UnseenImages } from "../agent/unseen-images.tsx";
export { HostNote } from "../fleet/host-note.tsx";
export { HostOutbox } from "../fleet/host-outbox.tsx";
export { SetupNote } from "../setup/setup-note.tsx";
export { AttachmentChips } from "./attach/attachment-chips.tsx";
export { ContextChips } from "./queue/context-chips.tsx";
export { OutboxNote } from "./queue/outbox-note.tsx";
export { QueueList } from "./queue/queue-list.tsx";
export { SuggestionList } from "./suggest/suggestion-list.tsx";
export { TodoList } from "./todos/todo-list.tsx";
