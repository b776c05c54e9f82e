export function TerminalPanel() {
	return null;
}
