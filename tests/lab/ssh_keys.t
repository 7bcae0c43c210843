#!/bin/sh
# Host keys that are believed or not, and keys to log in with.

# shellcheck disable=SC2016,SC2088,SC2154
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh

ssh-keygen -q -t ed25519 -N '' -f "$work/foreign"
seen=$(ssh-keygen -lf "$lab/host_key.pub" | cut -d' ' -f2)
foreign=$(ssh-keygen -lf "$work/foreign.pub" | cut -d' ' -f2)
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/foreign.pub")" \
	>"$work/changed"

run --known "$work/changed" true
says 'error: host key of lab ' "has changed: $work/changed line 1" \
	"$seen" "$foreign" "ssh-keygen -R '[127.0.0.1]:$port'"
result "a changed key is refused"
run --known "$work/changed" --accept-new true
says "has changed: $work/changed line 1" && says_not end=
result "a changed key is refused by accept-new too"

ssh-keygen -q -t ecdsa -N '' -f "$work/other"
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/other.pub")" >"$work/type"
run --known "$work/type" --accept-new true
says "has changed: $work/type line 1" && says_not end=
result "a key of another type than the known one is no new key"

run --known "$work/new/known_hosts" true
says 'error: host key of lab ' 'is not known' "$work/new/known_hosts" "$seen" &&
	[ ! -e "$work/new/known_hosts" ]
result "an unknown key is refused"
run --known "$work/new/known_hosts" --accept-new true &&
	says end=exit "fingerprint=$seen new" &&
	run --known "$work/new/known_hosts" --accept-new true &&
	says end=exit && says_not ' new' && ssh-keygen -F "[127.0.0.1]:$port" \
	-f "$work/new/known_hosts" >"$work/said"
result "accept-new takes an unknown key and records it"

printf '# no newline' >"$work/short"
run --known "$work/short" --accept-new true &&
	run --known "$work/short" true && says end=exit
result "a last line without newline is not spoiled"

run --known "$work/short/below" --accept-new true
says 'cannot be checked' "$work/short/below" 'Not a directory'
result "a file that cannot be looked for is not one that is not there"

ssh-keygen -q -H -f "$work/new/known_hosts" 2>/dev/null
run --known "$work/new/known_hosts" true
says end=exit
result "hashed names are understood"

run --known "$work" --accept-new true
says 'cannot be checked' "$work" 'not a regular file' && says_not end=
result "known_hosts that cannot be read is not taken for an empty one"

echo "@revoked * $(cut -d' ' -f1,2 "$lab/host_key.pub")" >"$work/revoked"
run --known "$work/revoked" --accept-new true
says 'is revoked by' && says_not end=
result "a revoked key is refused"

run --known /dev/null --pin "$seen" true
says end=exit "fingerprint=$seen"
result "a pinned fingerprint needs no known_hosts"
run --pin "$foreign" true
says "fingerprint $foreign is wanted" "$seen" && says_not end=
result "a wrong pin is refused though known_hosts agrees"
run --pin "$(printf %s "$seen" | cut -c1-20)" true
says 'is wanted' && says_not end=
result "part of a fingerprint is not enough"

{
	echo 'StrictHostKeyChecking no'
	cat "$lab/ssh_config"
} >"$work/lax"
"$tool" run --ssh lab --config "$work/lax" --known "$work/none" true \
	>"$work/said" 2>&1
says 'StrictHostKeyChecking no is not followed' 'is not known' &&
	says_not end=
result "StrictHostKeyChecking no does not switch the check off"

direct "$me@127.0.0.1:$port" --key "$work/nokey" true
says "error: key for 127.0.0.1 " "cannot read $work/nokey: No such file" &&
	says_not end=
result "a key file that is not there"

direct "$me@127.0.0.1:$port" --key "$work/foreign" true
says "login refused by 127.0.0.1 ($me@127.0.0.1 port $port)" \
	"$work/foreign (refused)" 'agent (none' 'authorized_keys' &&
	says_not end=
result "a refused login names what was tried and what to do"

ssh-keygen -q -t ed25519 -N secret -f "$work/locked" </dev/null
direct "$me@127.0.0.1:$port" --key "$work/locked" true </dev/null
says "$work/locked (has a passphrase: load it into the agent)" &&
	says_not end=
result "a key with a passphrase asks no question"

openssl genrsa -aes128 -passout pass:secret -traditional \
	-out "$work/pem" 2048 2>/dev/null
direct "$me@127.0.0.1:$port" --key "$work/pem" true </dev/null
says "$work/pem (has a passphrase" && says_not end=
result "nor does one in PEM"

echo rubbish >"$work/rubbish"
direct "$me@127.0.0.1:$port" --key "$work/rubbish" true
says "$work/rubbish (not a private key"
result "a file that is no key"

ssh-keygen -q -t rsa -b 2048 -N '' -f "$work/rsa"
cat "$work/rsa.pub" >>"$lab/authorized_keys"
direct "$me@127.0.0.1:$port" --key "$work/rsa" true
says end=exit
result "an RSA key"

mkdir "$HOME/.ssh"
cp "$lab/user_key" "$HOME/.ssh/id_ed25519"
"$tool" run --ssh "$me@127.0.0.1:$port" --known "$lab/known_hosts" true \
	>"$work/said" 2>&1
says end=exit
result "the usual key file of the home directory"
direct "$me@127.0.0.1:$port" --key '~/.ssh/id_ed25519' true
says end=exit
result "~ is the home directory"
rm -r "$HOME/.ssh"

ssh-agent -D -a "$work/agent" >/dev/null 2>&1 &
helpers="$helpers $!"
wait_for [ -S "$work/agent" ]
SSH_AUTH_SOCK=$work/agent
export SSH_AUTH_SOCK
"$tool" run --ssh "$me@127.0.0.1:$port" --known "$lab/known_hosts" true \
	>"$work/said" 2>&1
says "agent $work/agent (refused)"
result "an agent without keys"
ssh-add -q "$work/foreign" "$lab/user_key" 2>/dev/null
"$tool" run --ssh "$me@127.0.0.1:$port" --known "$lab/known_hosts" true \
	>"$work/said" 2>&1
says end=exit
result "an agent's second key"
direct "$me@127.0.0.1:$port" --key "$work/locked" true </dev/null
says end=exit
result "the agent after a key file that cannot be used"
unset SSH_AUTH_SOCK

lab_plan
