export function Transcript() {
	return <div role="log" aria-label="Conversation" className="min-h-0 flex-1 overflow-y-auto" />;
}
