export function ProcessPanel() {
	return null;
}
