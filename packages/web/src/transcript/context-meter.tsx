export function ContextMeter() {
	return null;
}
