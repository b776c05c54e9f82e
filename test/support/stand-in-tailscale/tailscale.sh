#!/bin/sh
# The `tailscale` program as far as `rightseat pair` uses it, with the JSON, the words and the exit codes of the real one.
# In the folder above: status.json and serve.json are what it says, others.json is what Serve has besides ours, ours.json is that with ours, mode says how it
# refuses. Every call becomes a line of `calls`.
cd "$(dirname "$0")/.." || exit 1
echo "$*" >> calls
if [ "$1" = status ]; then
	cat status.json
	grep -q '"BackendState":"Running"' status.json
	exit $?
fi
[ "$1" = serve ] || exit 1
if [ "$2" = status ]; then
	cat serve.json
	exit 0
fi
case "$(cat mode)" in
denied)
	printf "sending serve config: Access denied: serve config denied\n\nUse 'sudo tailscale %s'.\nTo not require root, use 'sudo tailscale set --operator=\$USER' once.\n" "$*" >&2
	exit 1
	;;
not-enabled)
	# The real one says so and ends well, or waits until somebody has opened the link.
	printf 'Serve is not enabled on your tailnet.\nTo enable, visit:\n\n         https://login.tailscale.com/f/serve?node=nABC123CNTRL\n\n'
	exit 0
	;;
esac
for last; do :; done
if [ "$last" = off ]; then
	if cmp -s serve.json others.json; then
		echo "error: failed to remove web serve: handler does not exist" >&2
		exit 1
	fi
	cp others.json serve.json
else
	sed "s|@TARGET@|$last|" ours.json > serve.json
	printf 'Available within your tailnet:\n\n|-- proxy %s\n\nServe started and running in the background.\n' "$last"
fi
