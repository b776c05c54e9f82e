import { Component, type ReactNode } from "react";

/** Keeps a broken part from taking the page with it. */
export class ErrorBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { broken: boolean }> {
	override state = { broken: false };
	static getDerivedStateFromError() {
		return { broken: true };
	}
	override render() {
		return this.state.broken ? this.props.fallback : this.props.children;
	}
}
